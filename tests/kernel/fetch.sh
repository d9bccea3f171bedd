#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# fetch.sh [systemd]: gets what a guest is made of, once, and prints where it is. Needs
# apt-get, dpkg and the network; no root, installs nothing.
# In the cache ($AUDITOPT_KERNEL_CACHE, else auditopt/kernel in the user's cache):
#   6.1/vmlinuz 6.12/vmlinuz          Debian's kernels for clouds
#   auditctl-3.0.9 auditctl-4.0.2     auditctl of Debian 12 and 13, its libraries
#                                     and their own ld.so
#   augenrules-3.0.9 augenrules-4.0.2 augenrules of the same
#   apparmor/apparmor_parser          that of Debian 12 and what it includes (abi), its
#                                     library and ld.so
#   busybox/busybox                   Debian's busybox-static
#   systemd-3.0.9 systemd-4.0.2       Debian 12 and 13 with systemd and auditd, as far
#                                     as needed to boot them; only for: fetch.sh systemd
#   versions                          the packages and their versions
# Ends with 77 and a word where that cannot be had.
set -eu

cache=${AUDITOPT_KERNEL_CACHE:-${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/auditopt/kernel}
mirror=${AUDITOPT_DEBIAN_MIRROR:-} # URL above /debian and /debian-security
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
audit_packages="auditd libaudit1 libc6 libcap-ng0"
userland_packages="systemd auditd base-files base-passwd bash coreutils dash diffutils
	findutils grep mawk mount sed util-linux"

skip() {
	printf 'skipped: %s\n' "$*" >&2
	exit 77
}

# apt SUITE COMMAND...: apt with an index of its own, of Debian's SUITE alone.
apt() {
	suite=$1
	shift
	state=$cache/apt-$suite
	command=$1
	shift
	"$command" -q -o Dir::State="$state" -o Dir::State::status="$state/status" \
		-o Dir::Cache="$state/cache" -o Dir::Etc::sourcelist="$state/list" \
		-o Dir::Etc::sourceparts="$state/none" -o Dir::Etc::preferencesparts="$state/none" \
		-o Dir::Etc::preferences="$state/none/file" \
		-o APT::Architecture=amd64 -o APT::Architectures::=amd64 \
		-o Acquire::Languages=none -o APT::Sandbox::User="$(id -un)" "$@"
}

# archive NAME: where this host's apt gets Debian's archive of that name from.
archive() {
	if [ -n "$mirror" ]; then
		echo "$mirror/$1"
	else
		# shellcheck disable=SC2016 # for apt to expand
		apt-get indextargets --format '$(REPO_URI)' | sed -n "s|/$1/*\$|/$1|p" | head -n 1
	fi
}

# index SUITE: an index not older than a day.
index() {
	state=$cache/apt-$1
	[ -z "$(find "$state/fresh" -mtime -1 2>/dev/null)" ] || return 0
	mkdir -p "$state/lists/partial" "$state/cache/archives/partial" "$state/none"
	: >"$state/status"
	{
		echo "deb [signed-by=$keyring] $main $1 main"
		echo "deb [signed-by=$keyring] $security $1-security main"
	} >"$state/list"
	apt "$1" apt-get update >"$state/log" 2>&1 || return 1
	! grep -q '^[EW]: ' "$state/log" || return 1
	: >"$state/fresh"
}

# download SUITE DIR PACKAGE...: into DIR/debs, with a line for each in DIR/versions.
download() {
	suite=$1
	to=$2
	shift 2
	index "$suite" || {
		tail -n 3 "$cache/apt-$suite/log" >&2
		skip "no package index of Debian $suite"
	}
	rm -rf "$to"
	mkdir -p "$to/debs" "$to/files"
	(cd "$to/debs" && apt "$suite" apt-get download "$@" >log 2>&1) || {
		tail -n 3 "$to/debs/log" >&2
		skip "cannot download $*"
	}
	for deb in "$to"/debs/*.deb; do
		dpkg-deb -f "$deb" Package Version | tr '\n' ' ' | sed 's/[A-Za-z]*: //g; s/ $//'
		echo
	done >"$to/versions"
}

# unpack SUITE DIR PACKAGE...: into DIR/files
unpack() {
	download "$@"
	for deb in "$to"/debs/*.deb; do
		dpkg -x "$deb" "$to/files"
	done
}

# kernel NAME SUITE METAPACKAGE
kernel() {
	[ ! -e "$cache/$1/vmlinuz" ] || return 0
	index "$2" || skip "no package index of Debian $2"
	package=$(apt "$2" apt-cache depends "$3" | sed -n 's/^ *Depends: \(linux-image-[0-9].*\)/\1/p' | head -n 1)
	[ -n "$package" ] || skip "Debian $2 has no $3"
	unpack "$2" "$cache/new" "$package"
	mkdir -p "$cache/$1"
	cp "$cache/new/versions" "$cache/$1/"
	cp "$cache"/new/files/boot/vmlinuz-* "$cache/$1/vmlinuz"
	rm -rf "$cache/new"
}

# auditctl VERSION SUITE LIBAUPARSE
auditctl() {
	[ ! -e "$cache/auditctl-$1/auditctl" ] || return 0
	# shellcheck disable=SC2086 # a list of words
	unpack "$2" "$cache/new" $audit_packages "$3"
	rm -rf "$cache/new/root"
	mkdir "$cache/new/root"
	cp "$cache/new/versions" "$cache/new/root/"
	for name in 'libaudit.so.1' 'libauparse.so.0' 'libc.so.6' 'libcap-ng.so.0' 'ld-linux-x86-64.so.2' auditctl; do
		found=$(find "$cache/new/files" -name "$name" \( -type f -o -type l \) | head -n 1)
		[ -n "$found" ] || skip "no $name in Debian $2's packages"
		cp -L "$found" "$cache/new/root/$name" 2>/dev/null ||
			cp "$(find "$cache/new/files" -name "$(basename "$(readlink "$found")")" -type f | head -n 1)" \
				"$cache/new/root/$name"
	done
	grep -q "^auditd 1:$1-" "$cache/new/versions" ||
		skip "Debian $2 has another auditctl than $1: $(sed -n 's/^auditd //p' "$cache/new/versions")"
	rm -rf "$cache/auditctl-$1"
	mv "$cache/new/root" "$cache/auditctl-$1"
	rm -rf "$cache/new"
}

# augenrules VERSION SUITE: the script, of the same package as auditctl.
augenrules() {
	[ ! -e "$cache/augenrules-$1/augenrules" ] || return 0
	unpack "$2" "$cache/new" auditd
	grep -q "^auditd 1:$1-" "$cache/new/versions" ||
		skip "Debian $2 has another augenrules than $1: $(sed -n 's/^auditd //p' "$cache/new/versions")"
	mkdir -p "$cache/augenrules-$1"
	cp "$cache/new/versions" "$cache/augenrules-$1/"
	cp "$(find "$cache/new/files" -name augenrules -type f)" "$cache/augenrules-$1/augenrules"
	rm -rf "$cache/new"
}

# parser SUITE
parser() {
	[ ! -e "$cache/apparmor/apparmor_parser" ] || return 0
	unpack "$1" "$cache/new" apparmor libc6
	rm -rf "$cache/new/root"
	mkdir "$cache/new/root"
	cp "$cache/new/versions" "$cache/new/root/"
	for name in apparmor_parser libc.so.6 ld-linux-x86-64.so.2; do
		found=$(find "$cache/new/files" -name "$name" -type f | head -n 1)
		[ -n "$found" ] || skip "no $name in Debian $1's packages"
		cp "$found" "$cache/new/root/$name"
	done
	cp -R "$cache/new/files/etc/apparmor.d/abi" "$cache/new/root/"
	rm -rf "$cache/apparmor"
	mv "$cache/new/root" "$cache/apparmor"
	rm -rf "$cache/new"
}

# busybox SUITE
busybox() {
	[ ! -e "$cache/busybox/busybox" ] || return 0
	unpack "$1" "$cache/new" busybox-static
	mkdir -p "$cache/busybox"
	cp "$cache/new/versions" "$cache/busybox/"
	cp "$cache"/new/files/bin/busybox "$cache/busybox/"
	rm -rf "$cache/new"
}

# userland VERSION SUITE: the audit of that version, systemd, and all that they
# depend on but what only installs packages; nothing of it is run here.
userland() {
	[ ! -e "$cache/systemd-$1/versions" ] || return 0
	index "$2" || skip "no package index of Debian $2"
	# shellcheck disable=SC2086 # a list of words
	packages=$(apt "$2" apt-get install -s --no-install-recommends $userland_packages |
		sed -n 's/^Inst \([^ ]*\) .*/\1/p' | grep -v 'perl\|debconf\|^usrmerge$\|^dpkg$')
	# shellcheck disable=SC2086 # a list of words
	download "$2" "$cache/new" $packages
	grep -q "^auditd 1:$1-" "$cache/new/versions" ||
		skip "Debian $2 has another auditd than $1: $(sed -n 's/^auditd //p' "$cache/new/versions")"
	for directory in bin sbin lib lib64; do
		mkdir -p "$cache/new/files/usr/$directory"
		ln -s "usr/$directory" "$cache/new/files/$directory"
	done
	for deb in "$cache/new"/debs/*.deb; do
		dpkg-deb --fsys-tarfile "$deb" |
			tar -x -C "$cache/new/files" --keep-directory-symlink --no-same-owner \
				--exclude='./usr/share/doc' --exclude='./usr/share/man' --exclude='./usr/share/locale' \
				--exclude='./usr/lib/x86_64-linux-gnu/gconv' --exclude='./usr/share/bash-completion'
	done
	rm -rf "$cache/systemd-$1"
	mkdir "$cache/systemd-$1"
	mv "$cache/new/files" "$cache/systemd-$1/root"
	mv "$cache/new/versions" "$cache/systemd-$1/versions"
	rm -rf "$cache/new"
}

[ "$(uname -m)" = x86_64 ] || skip "the guest's programs are built for x86_64, this is $(uname -m)"
for tool in apt-get dpkg dpkg-deb; do
	command -v $tool >/dev/null 2>&1 || skip "no $tool here"
done
[ -e $keyring ] || skip "no $keyring here (package debian-archive-keyring)"
main=$(archive debian)
security=$(archive debian-security)
if [ -z "$main" ] || [ -z "$security" ]; then
	skip "this host's apt knows no mirror of Debian: set AUDITOPT_DEBIAN_MIRROR to one"
fi
mkdir -p "$cache"
exec 9>"$cache/lock"
flock 9
kernel 6.1 bookworm linux-image-cloud-amd64
kernel 6.12 bookworm linux-image-6.12-cloud-amd64
auditctl 3.0.9 bookworm libauparse0
auditctl 4.0.2 trixie libauparse0t64
augenrules 3.0.9 bookworm
augenrules 4.0.2 trixie
parser bookworm
busybox bookworm
[ "${1:-}" != systemd ] || {
	userland 3.0.9 bookworm
	userland 4.0.2 trixie
}
for version in 6.1 6.12 auditctl-3.0.9 auditctl-4.0.2 augenrules-3.0.9 augenrules-4.0.2 apparmor busybox; do
	sed "s/^/$version: /" "$cache/$version/versions"
done >"$cache/versions"
printf '%s\n' "$cache"
