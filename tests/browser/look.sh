#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The page of --report-format=html in a browser: at the width of a desk and of a
# phone, light and dark. Nothing may complain on the console or make the page
# scroll sideways, and its script must do what it is for. Leaves screenshots in
# $AUDITOPT_LOOK (default: ./look). Needs Chromium; "skipped" without.
set -u
: "${AUDITOPT:?the path of the built program}" "${AUDITOPT_SRCDIR:?}"
look=${AUDITOPT_LOOK:-look}
phone=390,844
desk=1280,1600
failures=0

fail() {
	failures=$((failures + 1))
	printf 'FAILED: %s\n' "$*"
}

browser=
for name in chromium chromium-browser google-chrome; do
	command -v $name >/dev/null 2>&1 && browser=$name && break
done
[ -n "$browser" ] || {
	echo "skipped: no Chromium here (package chromium)"
	exit 0
}

work=$(mktemp -d "${TMPDIR:-/tmp}/auditopt-look.XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
mkdir -p "$look" || exit 99
look=$(cd "$look" && pwd)
cd "$work" || exit 99

# browse SIZE PAGE OPTION...: PAGE in a browser that knows nothing; its standard
# output in dom, what it says in log.
browse() {
	window=$1 file=$2
	shift 2
	rm -rf profile && mkdir profile
	HOME=$work timeout 120 $browser --headless --no-sandbox --disable-gpu --disable-quic \
		--no-first-run --disable-background-networking --disable-component-update \
		--disable-sync --disable-dev-shm-usage --hide-scrollbars --force-device-scale-factor=1 \
		--enable-logging=stderr --user-data-dir="$work/profile" \
		--window-size="$window" "$@" "file://$work/$file" >dom 2>log
}

# What the page is asked when it is loaded: how wide it is, closed and with all of
# it open, and whether its parts work. The answer goes to the page around it.
ask() {
	cat <<-'END'
		<script>
		(function () {
			var root = document.documentElement, said = [];
			function say(name, value) { said.push(name + "=" + value); }
			say("inner", innerWidth);
			say("scroll", root.scrollWidth);
			document.querySelectorAll("details").forEach(function (d) { d.open = true; });
			say("opened", root.scrollWidth);
			document.querySelectorAll("details").forEach(function (d) { d.open = false; });
			var find = document.getElementById("find");
			if (find) {
				var rows = document.querySelectorAll("table.classes tbody tr");
				find.value = "chmod";
				find.dispatchEvent(new Event("input"));
				var shown = Array.from(rows).filter(function (r) { return !r.hidden; });
				say("found", shown.length > 0 && shown.length < rows.length &&
					shown.every(function (r) { return /chmod/.test(r.textContent); }));
			}
			var pass = document.querySelector("details.pass");
			if (pass) {
				location.hash = "#" + pass.id;
				dispatchEvent(new HashChangeEvent("hashchange"));
				say("led", pass.open);
			}
			say("words", document.body.innerText.length > 500);
			parent.postMessage("ANSWER " + said.join(" ") + " END", "*");
		})();
		</script>
	END
}

# The page as it is for one who likes it dark, or light, whatever the browser
# thinks.
scheme_of() {
	case $1 in
	dark) sed 's/(prefers-color-scheme: dark)/(min-width: 0)/' ;;
	light) sed 's/(prefers-color-scheme: dark)/(max-width: 0)/' ;;
	esac
}

# is_quiet WHAT: the browser told nothing on the console.
is_quiet() {
	! grep 'CONSOLE' log || fail "$1: the console is not silent"
}

# A window of its own is never as narrow as a phone; a frame is.
around() {
	cat <<-END
		<!DOCTYPE html>
		<script>
		addEventListener("message", function (event) {
			document.getElementById("said").textContent = event.data;
		});
		</script>
		<body><p id="said"></p>
		<iframe src="asked.html" width="${1%,*}" height="${1#*,}" style="border:0"></iframe>
		</body>
	END
}

# measured SIZE WHAT: the answers of asked.html in a frame of that size.
measured() {
	around "$1" >around.html
	browse $desk around.html --virtual-time-budget=5000 --dump-dom
	is_quiet "$2"
	answer=$(sed -n 's/.*>ANSWER \(.*\) END<.*/\1/p' dom)
	[ -n "$answer" ] || {
		fail "$2: no answer"
		tail -n 3 log
	}
	for word in $answer; do
		case $word in
		inner=*) [ "$word" = "inner=${1%,*}" ] || fail "$2: a window of another width: $word" ;;
		scroll=* | opened=*) [ "${word#*=}" -le "${1%,*}" ] || fail "$2: the page scrolls sideways: $word" ;;
		*=true) ;;
		*) fail "$2: $word" ;;
		esac
	done
}

# looked PAGE SIZE WHERE SCHEME
looked() {
	what="$1 $3 $4"
	scheme_of "$4" <"$1.html" >shown.html
	{ scheme_of "$4" <"$1.html" | sed '/<\/body>/,$d' && ask && echo '</body></html>'; } >asked.html
	browse "$2" shown.html --screenshot="$look/$1-$3-$4.png"
	is_quiet "$what"
	size=$(wc -c 2>/dev/null <"$look/$1-$3-$4.png")
	[ "${size:-0}" -gt 20000 ] || fail "$what: no screenshot, or an empty one"
	measured "$2" "$what"
}

make_pages() {
	"$AUDITOPT" -q -O2 --machine=x86_64 --report=result.html --report-format=html -o /dev/null \
		"$AUDITOPT_SRCDIR/examples/first-look.rules" &&
		"$AUDITOPT" cost -q --machine=x86_64 --report-format=html -o cost.html \
			"$AUDITOPT_SRCDIR/tests/rules/stig-like.rules" &&
		"$AUDITOPT" -q --machine=x86_64 --keep-going --report=faulty.html --report-format=html \
			-o /dev/null "$AUDITOPT_SRCDIR/examples/faulty.rules" 2>/dev/null
}

make_pages || {
	fail "no pages"
	exit 1
}

# A page that is too wide and complains must be found out.
{
	echo '<!DOCTYPE html><body><div style="width:3000px">wide</div>'
	echo '<script>console.error("seen")</script>'
	ask
	echo '</body>'
} >asked.html
found=$(measured $phone "a bad page")
failures=0
for complaint in 'the console is not silent' 'scroll=3' 'words=false'; do
	printf '%s\n' "$found" | grep -q "$complaint" || fail "a bad page passes: $complaint"
done

looked result $desk desk light
looked result $desk desk dark
looked result $phone phone light
looked result $phone phone dark
looked cost $desk desk light
looked cost $phone phone dark
looked faulty $desk desk dark
looked faulty $phone phone light

# A browser that runs no script shows all of it, too.
sed '/^<script>$/,/^<\/script>$/d' result.html >shown.html
browse $desk shown.html --dump-dom
is_quiet "without script"
grep -q '<p class="find" hidden' dom || fail "without script: a search that does nothing"

if [ "$failures" != 0 ]; then
	echo "$failures failed"
	exit 1
fi
echo "all good; screenshots are in $look"
