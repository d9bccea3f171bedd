#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# tree.sh DIR RULES...: makes in DIR all paths, users and groups that RULES name.
# (not those called nosuch: they are wanted to be missing). A path is a directory if a rule says dir=, it ends with a slash, another path
# lies below it, or it is known as one; else a file.
#   tree.sh -n DIR RULES...: only says what they name, as d PATH, p PATH, u USER,
#   g GROUP; DIR is not touched.
set -eu

only_names=no
[ "$1" != -n ] || {
	only_names=yes
	shift
}
root=$1
shift
known="/etc /usr/sbin /usr/bin /bin /sbin /lib /lib64 /var/log /tmp /home /root /boot /opt /usr /var /srv \
/usr/lib /usr/local/bin /usr/local/sbin /etc/audit /etc/selinux /etc/pam.d /etc/ssh /etc/cron.d /etc/sysconfig \
/etc/apparmor /lib/modules /var/spool/cron /usr/share /usr/libexec /run /dev /dev/shm /proc /sys"

# What the rules name, a line each: d PATH, p PATH, u USER, g GROUP.
named() {
	cat "$@" | tr '\t' ' ' | sed '/^ *#/d; s/\\ /\r/g' | awk '
	function path(p, dir) {
		if (p !~ /^\//)
			return
		gsub("\r", " ", p)
		dir = dir || p ~ /.\/$/
		sub(/\/+$/, "", p)
		if (p != "")
			print (dir ? "d " : "p ") p
	}
	{
		for (i = 1; i <= NF; i++) {
			w = $i
			if (w == "-w" || w == "-W")
				path($(i + 1), 0)
			if (w ~ /^-C/ || $(i - 1) == "-C" || w ~ /no-?such/)
				continue
			sub(/^-[FwW]/, "", w)
			if (w ~ /^\//)
				path(w, 0)
			else if (match(w, /^(path|exe)!?=/))
				path(substr(w, RLENGTH + 1), 0)
			else if (match(w, /^dir=/))
				path(substr(w, RLENGTH + 1), 1)
			else if (match(w, /^[a-z_]*uid[!<>=&]+[A-Za-z_]/) && w !~ /=unset/)
				print "u " substr(w, RLENGTH)
			else if (match(w, /^[a-z_]*gid[!<>=&]+[A-Za-z_]/))
				print "g " substr(w, RLENGTH)
		}
	}'
}

make_paths() {
	while read -r kind path; do
		case $kind in
		d) mkdir -p "$root$path" 2>/dev/null || true ;;
		p) ! expr "$path" : '.*\.d$' >/dev/null || mkdir -p "$root$path" 2>/dev/null || true ;;
		*) continue ;;
		esac
		mkdir -p "$root$(dirname "$path")" 2>/dev/null || true
	done
}

make_files() {
	while read -r kind path; do
		if [ "$kind" = p ] && [ ! -e "$root$path" ]; then
			: >"$root$path" || true
		fi
	done
}

# make_names KIND FILE TAIL: lines NAME:x:NUMBER + TAIL for names not in FILE.
# shellcheck disable=SC2094 # what is added are other names than those looked for
make_names() {
	sed -n "s/^$1 //p" "$root/.named" | sort -u | {
		number=7000
		while read -r name; do
			number=$((number + 1))
			grep -q "^$name:" "$root/etc/$2" || echo "$name:x:$number:$3"
		done
	} >>"$root/etc/$2"
}

if [ $only_names = yes ]; then
	named "$@" | sort -u
	exit
fi
mkdir -p "$root/etc"
named "$@" | sort -u >"$root/.named"
for path in $known; do
	mkdir -p "$root$path"
done
make_paths <"$root/.named"
make_files <"$root/.named"
printf '%s\n' root:x:0:0::/root:/bin/sh daemon:x:1:1::/:/bin/sh bin:x:2:2::/:/bin/sh \
	www-data:x:33:33::/:/bin/sh nobody:x:65534:65534::/:/bin/sh >"$root/etc/passwd"
printf '%s\n' root:x:0: daemon:x:1: adm:x:4: www-data:x:33: nogroup:x:65534: >"$root/etc/group"
make_names u passwd "65534::/:/bin/sh"
make_names g group ""
rm "$root/.named"
