#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# packaging/check.sh TARBALL DIRECTORY [deb|rpm]
# Builds the Debian and the RPM package of TARBALL below DIRECTORY, has lintian
# and rpmlint look at them, installs each into an empty root there, runs the
# program, removes it, and looks that nothing is left. Nothing is installed on
# the host, no network is used. What is not here is left out, with a line that
# begins with "skipped: ". DIRECTORY is emptied before.
set -eu

source=$(cd "$(dirname "$0")/.." && pwd)
tarball=$(realpath "$1")
work=$2
which=${3:-deb rpm}
rm -rf "$work"
mkdir -p "$work"
work=$(cd "$work" && pwd)
name=$(basename "$tarball" .tar.gz)
version=${name#auditopt-}
# What the packages are built with is theirs to say.
unset CC CFLAGS CPPFLAGS LDFLAGS MAKEFLAGS MAKELEVEL MFLAGS
LC_ALL=C.UTF-8
export LC_ALL

say() {
	printf '%s\n' "$*"
}

fail() {
	printf 'packaging/check.sh: %s\n' "$*" >&2
	exit 1
}

have() {
	command -v "$1" >/dev/null 2>&1
}

jobs() {
	getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1
}

# files_in ROOT: what stands there but for the package manager's own records.
files_in() {
	(cd "$1" && find . -path ./var/lib/dpkg -prune -o -path ./var/lib/rpm -prune -o -print | sort)
}

# Documents stand below the directory $1 as in the source, and their links hold
# there; the licence has a place of its own.
check_documents() {
	for page in README.md docs/questions.md bench/RESULTS.md bench/GONE.md bench/SOURCES.md; do
		[ -f "$1/$page" ] || fail "$page is not in the package"
		grep -o ']([^):#]*)' "$source/$page" | sed 's/^](//; s/)$//' | sort -u |
			grep -vxF COPYING >"$work/links" || :
		while IFS= read -r link; do
			[ -e "$1/$(dirname "$page")/$link" ] || fail "$page has a link to $link, which is not in the package"
		done <"$work/links"
	done
}

# What a root must hold after an installation, and that the program works there.
check_installed() {
	root=$1
	check_documents "$root/usr/share/doc/auditopt"
	for page in "$source"/man/*.[1-8]; do
		section=${page##*.}
		found=$(find "$root/usr/share/man/man$section" -name "$(basename "$page")*")
		[ -n "$found" ] || fail "$(basename "$page") is not in the package"
	done
	"$root/usr/bin/auditopt" --version | grep -q "$version" ||
		fail "the installed program is not version $version"
	for test in usage examples; do
		AUDITOPT="$root/usr/bin/auditopt" AUDITOPT_SRCDIR="$source" \
			sh "$source/tests/cli_$test.sh" || fail "cli_$test.sh with the installed program"
	done
}

# With a second argument: but for the directories that others own, of which an
# empty root has none (Fedora's package filesystem).
check_removed() {
	files_in "$1" >"$work/after"
	[ $# = 1 ] || {
		(cd "$1" && find . -type d ! -path '*auditopt*') | grep -vxF -f "$work/before" >"$work/theirs" || :
		grep -vxF -f "$work/theirs" "$work/after" >"$work/ours" || :
		mv "$work/ours" "$work/after"
	}
	diff "$work/before" "$work/after" || fail "not all of it is gone after the removal (or more than that)"
}

### Debian

# dpkg in a root of its own. Scripts of the package are not run in the root,
# where there is no shell, but told of it, as dpkg(1) has it.
dpkg_in() {
	dpkg --root="$1" --log=/dev/null --force-depends --force-not-root --force-script-chrootless \
		--force-bad-path "$2" "$3"
}

build_deb() {
	mkdir "$work/deb"
	cp "$tarball" "$work/deb/auditopt_$version.orig.tar.gz"
	tar -C "$work/deb" -xzf "$tarball"
	cp -R "$source/debian" "$work/deb/$name/debian"
	(cd "$work/deb/$name" &&
		DEB_BUILD_OPTIONS="noautodbgsym parallel=$(jobs)" dpkg-buildpackage -us -uc)
}

check_deb() {
	for tool in dpkg-buildpackage dh; do
		have $tool || {
			say "skipped: the Debian package: no $tool here"
			return 0
		}
	done
	say "== The Debian package"
	said=$(sed -n '1s/.*(\(.*\)-[^-]*).*/\1/p' "$source/debian/changelog")
	[ "$said" = "$version" ] || fail "debian/changelog says version $said, configure.ac $version"
	build_deb
	if have lintian; then
		lintian --allow-root --fail-on error,warning --info "$work"/deb/*.changes ||
			fail "lintian found the above"
	else
		say "skipped: lintian is not here"
	fi
	root=$work/deb/root
	mkdir -p "$root/var/lib/dpkg/info" "$root/var/lib/dpkg/updates" "$root/var/lib/dpkg/triggers"
	: >"$root/var/lib/dpkg/status"
	: >"$root/var/lib/dpkg/available"
	files_in "$root" >"$work/before"
	dpkg_in "$root" -i "$work"/deb/auditopt_*.deb
	check_installed "$root"
	# As an upgrade to the same version.
	dpkg_in "$root" -i "$work"/deb/auditopt_*.deb
	dpkg_in "$root" --purge auditopt
	check_removed "$root"
}

### RPM

# Macros that rpm of Debian has not; the dependencies go by other names there.
rpmbuild_here() {
	if [ -e /usr/lib/rpm/redhat/macros ]; then
		rpmbuild "$@"
	else
		rpmbuild --nodeps --define 'debug_package %{nil}' \
			--define "_smp_mflags -j$(jobs)" "$@"
	fi
}

build_rpm() {
	mkdir -p "$work/rpm/SOURCES"
	cp "$tarball" "$work/rpm/SOURCES/"
	rpmbuild_here --define "_topdir $work/rpm" -ba "$source/packaging/auditopt.spec"
}

check_rpm() {
	have rpmbuild || {
		say "skipped: the RPM package: no rpmbuild here"
		return 0
	}
	say "== The RPM package"
	said=$(sed -n 's/^Version: *//p' "$source/packaging/auditopt.spec")
	[ "$said" = "$version" ] || fail "packaging/auditopt.spec says version $said, configure.ac $version"
	build_rpm
	package=$(find "$work/rpm/RPMS" -name 'auditopt-[0-9]*.rpm')
	if have rpmlint; then
		rpmlint -c "$source/packaging/rpmlint.toml" "$source/packaging/auditopt.spec" \
			"$package" "$work"/rpm/SRPMS/*.rpm >"$work/rpmlint.log" 2>&1 || :
		cat "$work/rpmlint.log"
		grep -q ' 0 errors, 0 warnings' "$work/rpmlint.log" || fail "rpmlint found the above"
	else
		say "skipped: rpmlint is not here"
	fi
	if [ "$(id -u)" != 0 ]; then
		say "skipped: installing the RPM package: that takes root"
		return 0
	fi
	root=$work/rpm/root
	mkdir "$root"
	rpm_in "$root" --initdb
	files_in "$root" >"$work/before"
	rpm_in "$root" --nodeps -i "$package"
	check_installed "$root"
	rpm_in "$root" --nodeps -e auditopt
	check_removed "$root" others
}

rpm_in() {
	in=$1
	shift
	rpm --root "$in" --define '_dbpath /var/lib/rpm' "$@"
}

for kind in $which; do
	"check_$kind"
done
say "all good"
