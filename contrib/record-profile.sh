#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Records how often real programs make each system call, for --profile=FILE:
#
#   contrib/record-profile.sh [-o DIRECTORY] [WORKLOAD]...
#
#   web-server  nginx, files and a proxied site, under load from ab
#   database    PostgreSQL under pgbench, and Redis under redis-benchmark
#   compiler    make and gcc, building this source tree
#   idle        nginx and PostgreSQL without work for a minute, and a round of
#               small jobs as a timer of systemd starts them
#
# Default: all of them, into examples/profiles. Takes about five minutes.
# Each is traced with strace -c -f, so this needs strace and leave to trace
# one's own processes (ptrace), no root. On Debian and Ubuntu:
#
#   apt-get install strace nginx-light apache2-utils postgresql redis-server \
#       redis-tools gcc make
#
# and what building auditopt needs. Everything listens on 127.0.0.1 only, works
# in a temporary directory, ends by itself, and is stopped by its process id.
# The load comes from programs that are not traced.
#
# strace does not see login uids: daemons and what systemd's timers start are
# taken to have none (auid unset), the compiler to have one. Tracing slows a program down, so what waits by polling polls
# more often for each piece of work; all else is counted exactly.
set -eu

top=$(cd "$(dirname "$0")/.." && pwd)
to=$top/examples/profiles
web_port=${WEB_PORT:-18080}
app_port=${APP_PORT:-18081}
sql_port=${SQL_PORT:-15432}
redis_port=${REDIS_PORT:-16379}
requests=6000  # for each of the kinds of request
seconds=15     # for each of pgbench's two scripts
commands=40000 # of each of redis-benchmark's two kinds
idle_seconds=60

fail() {
	printf 'record-profile.sh: %s\n' "$*" >&2
	exit 1
}

need() {
	for program; do
		command -v "$program" >/dev/null 2>&1 ||
			fail "$program is not installed (the head of this file says what is needed)"
	done
}

work=$(mktemp -d "${TMPDIR:-/tmp}/record-profile.XXXXXX")
chmod 755 "$work"
# Process ids of what must not outlive this script.
running=
clean_up() {
	for pid in $running; do
		kill "$pid" 2>/dev/null || :
	done
	wait
	rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 1' INT TERM

# traced NAME COMMAND...: in the background, counting into $work/NAME.strace.
traced() {
	name=$1
	shift
	strace -c -f -o "$work/$name.strace" "$@" >"$work/$name.log" 2>&1 &
	running="$running $!"
	tracer=$!
}

# The same without counting.
plain() {
	name=$1
	shift
	"$@" >"$work/$name.log" 2>&1 &
	running="$running $!"
	tracer=$!
}

# watched NAME SECONDS PID: counts what the running process and its children do.
watched() {
	name=$1
	# shellcheck disable=SC2046 # a word each
	set -- "$2" "$3" $(ps -o pid= --ppid "$3")
	limit=$1
	shift
	for pid; do
		shift
		set -- "$@" -p "$pid"
	done
	timeout -s INT "$limit" strace -c -f -o "$work/$name.strace" "$@" \
		>"$work/$name.log" 2>&1 &
	running="$running $!"
}

# Waits until COMMAND succeeds.
until_ready() {
	for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		if "$@" >/dev/null 2>&1; then return 0; fi
		sleep 0.5
	done
	tail -n 5 "$work"/*.log >&2
	fail "not ready after ten seconds: $*"
}

# --- The web server

nginx_configuration() {
	cat <<END
daemon off;
worker_processes 2;
pid $work/nginx.pid;
error_log $work/error.log;
events { worker_connections 256; }
http {
	access_log $work/access.log;
	sendfile on;
	open_file_cache off;
	client_body_temp_path $work/body;
	proxy_temp_path $work/proxy;
	fastcgi_temp_path $work/fastcgi;
	uwsgi_temp_path $work/uwsgi;
	scgi_temp_path $work/scgi;
	server {
		listen 127.0.0.1:$web_port;
		root $work/site;
		location /app/ { proxy_pass http://127.0.0.1:$app_port/; }
	}
	server {
		listen 127.0.0.1:$app_port;
		root $work/site;
	}
}
END
}

# start_nginx traced|plain NAME
start_nginx() {
	need nginx
	mkdir -p "$work/site"
	head -c 600 /dev/zero | tr '\0' x >"$work/site/small.html"
	head -c 20000 /dev/zero | tr '\0' x >"$work/site/page.html"
	head -c 300000 /dev/zero | tr '\0' x >"$work/site/picture.png"
	nginx_configuration >"$work/nginx.conf"
	"$@" nginx -c "$work/nginx.conf" -e "$work/error.log" -p "$work"
	nginx_tracer=$tracer
	until_ready test -s "$work/nginx.pid"
	sleep 1
}

# Lets the tracer write what it counted.
stop_nginx() {
	kill -QUIT "$(cat "$work/nginx.pid")"
	wait "$nginx_tracer" || :
}

# load_web PAGE REQUESTS
load_web() {
	ab -q -n "$2" -c 16 "http://127.0.0.1:$web_port/$1"
	ab -q -k -n "$2" -c 16 "http://127.0.0.1:$web_port/$1"
}

record_web_server() {
	need ab
	start_nginx traced web
	{
		for page in small.html page.html picture.png app/page.html; do
			load_web $page $requests || exit 1
		done
		load_web missing.html $((requests / 20))
	} >"$work/ab.log" 2>&1 || fail "ab: $(tail -n 1 "$work/ab.log")"
	stop_nginx
	{
		head_of "nginx under load from ab: four pages (600 bytes to 300 KB, one through" \
			"a proxy), $requests requests each with and without keep-alive, 16 at a" \
			"time, and a twentieth of that for a page that is missing. Only nginx is" \
			"counted. auid: unset, as daemons have it."
		echo "# $(nginx -v 2>&1), $(ab -V | head -n 1 | sed 's/ <.*//')"
		rows web 1
	} >"$to/web-server.profile"
}

# --- The database

postgres_directory() {
	for directory in /usr/lib/postgresql/*/bin /usr/pgsql-*/bin /usr/bin; do
		if [ -x "$directory/initdb" ]; then
			echo "$directory"
			return
		fi
	done
	fail "PostgreSQL (initdb) is not installed"
}

# PostgreSQL does not run as root.
as_user() {
	if [ "$(id -u)" = 0 ]; then
		setpriv --reuid=postgres --regid=postgres --clear-groups "$@"
	else
		"$@"
	fi
}

# start_postgres traced|plain NAME
start_postgres() {
	bin=$(postgres_directory)
	sql=$work/sql
	mkdir "$sql"
	[ "$(id -u)" != 0 ] || chown postgres: "$sql"
	(cd "$sql" && as_user "$bin/initdb" -A trust -D "$sql/data") \
		>"$work/initdb.log" 2>&1 || fail "initdb: $(tail -n 1 "$work/initdb.log")"
	how=$1
	name=$2
	set -- "$bin/postgres" -D "$sql/data" -p "$sql_port" -k "$sql" \
		-c listen_addresses=127.0.0.1
	[ "$(id -u)" != 0 ] ||
		set -- setpriv --reuid=postgres --regid=postgres --clear-groups "$@"
	cd "$sql"
	"$how" "$name" "$@"
	cd "$work"
	sql_tracer=$tracer
	until_ready as_user "$bin/pg_isready" -h 127.0.0.1 -p "$sql_port"
}

stop_postgres() {
	kill -INT "$(head -n 1 "$sql/data/postmaster.pid")"
	wait "$sql_tracer" || :
	rm -rf "$sql"
}

pgbench() {
	as_user "$bin/pgbench" -h 127.0.0.1 -p "$sql_port" "$@" postgres \
		>"$work/pgbench.log" 2>&1 || fail "pgbench: $(tail -n 1 "$work/pgbench.log")"
}

record_redis() {
	need redis-server redis-benchmark
	mkdir "$work/redis"
	traced redis redis-server --bind 127.0.0.1 --port "$redis_port" \
		--dir "$work/redis" --pidfile "$work/redis.pid" --appendonly yes
	redis_tracer=$tracer
	until_ready redis-cli -h 127.0.0.1 -p "$redis_port" ping
	redis-benchmark -h 127.0.0.1 -p "$redis_port" -t set,get -c 20 \
		-n $commands >"$work/benchmark.log" 2>&1 ||
		fail "redis-benchmark: $(tail -n 1 "$work/benchmark.log")"
	kill -TERM "$(cat "$work/redis.pid")"
	wait "$redis_tracer" || :
	rm -rf "$work/redis"
}

record_database() {
	start_postgres traced sql
	pgbench -i -s 5
	pgbench -T $seconds -c 4
	pgbench -T $seconds -c 4 -S
	stop_postgres
	record_redis
	{
		head_of "PostgreSQL under pgbench over TCP: scale 5, 4 clients, $seconds seconds of" \
			"its standard script and $seconds of selects only; and Redis, with its" \
			"log on disk, under redis-benchmark: $commands sets and as many gets from 20" \
			"clients. Only the servers are counted. auid: unset, as daemons have it."
		echo "# $("$bin/postgres" --version), $(redis-server --version | cut -d ' ' -f 1-3)"
		rows sql 1 redis 1
	} >"$to/database.profile"
}

# --- The compiler

record_compiler() {
	need make gcc autoreconf
	mkdir "$work/tree"
	(cd "$top" && tar cf - --exclude=./build --exclude=./.git .) |
		(cd "$work/tree" && tar xf -)
	(cd "$work/tree" && { [ -x configure ] || autoreconf -fi; } &&
		mkdir "$work/build" && cd "$work/build" &&
		"$work/tree/configure" -q CC=gcc) >"$work/configure.log" 2>&1 ||
		fail "configure: $(tail -n 1 "$work/configure.log")"
	traced cc make -s -C "$work/build" auditopt
	wait "$tracer" || fail "make: $(tail -n 1 "$work/cc.log")"
	{
		head_of "make auditopt: gcc, as and ld for its source, flex and bison." \
			"auid: set, as a user who has logged in has it."
		echo "# $(gcc --version | head -n 1), $(make --version | head -n 1)"
		rows cc 0
	} >"$to/compiler.profile"
	rm -rf "$work/tree" "$work/build"
}

# --- An idle host

# What timers run, small.
timer_jobs() {
	cat <<'END'
df -P >/dev/null
find /var/log -name '*.gz' -mtime +7 >/dev/null
ps ax | grep -c . >/dev/null
date >>"$1/jobs.log"
wc -l "$1/jobs.log" >/dev/null
END
}

record_idle() {
	need ps
	start_nginx plain quiet
	start_postgres plain quiet
	timer_jobs >"$work/jobs.sh"
	sleep 5
	watched quiet-web $idle_seconds "$(cat "$work/nginx.pid")"
	watched quiet-sql $idle_seconds "$(head -n 1 "$sql/data/postmaster.pid")"
	traced jobs timeout $idle_seconds sh "$work/jobs.sh" "$work"
	wait "$tracer" || fail "$(tail -n 1 "$work/jobs.log")"
	sleep $((idle_seconds + 1))
	stop_postgres
	stop_nginx
	{
		head_of "nginx and PostgreSQL that run and have no work, for $idle_seconds seconds," \
			"and one round of df, find, ps, date and wc from a script, as a timer" \
			"of systemd starts it. auid: unset, as both have it."
		echo "# $(nginx -v 2>&1), $("$bin/postgres" --version)"
		rows quiet-web 1 quiet-sql 1 jobs 1
	} >"$to/idle.profile"
}

# --- Output

head_of() {
	echo "# SPDX-License-Identifier: GPL-2.0-or-later"
	for line; do
		echo "# $line"
	done
	echo "# Recorded $(date -u +%Y-%m-%d) by contrib/record-profile.sh with"
	echo "# $(strace -V | head -n 1 | sed 's/ -- / /'), Linux $(uname -r | sed 's/-.*//') $(uname -m)."
}

# rows NAME UNSET...: the sum of the tables, UNSET the share of calls by tasks
# without a login uid; most frequent calls first.
rows() {
	echo "# call, how often, share that failed, share with auid unset"
	while [ $# -ge 2 ]; do
		[ -f "$work/$1.strace" ] ||
			fail "strace wrote nothing for $1: $(tail -n 1 "$work/$1.log")"
		echo "unset $2"
		cat "$work/$1.strace"
		shift 2
	done | awk '
		$1 == "unset" { unset = $2; prefix = ""; next }
		/usage summary for 32 bit/ { prefix = "b32:"; next }
		$1 !~ /^[0-9]/ || $NF == "total" { next }
		{
			name = prefix $NF
			calls[name] += $4
			if (NF == 6)
				failed[name] += $5
			without[name] += $4 * unset
		}
		END {
			for (name in calls)
				printf "%-24s %10d %.4f %.4f\n", name, calls[name],
					failed[name] / calls[name],
					without[name] / calls[name]
		}' | LC_ALL=C sort -k2,2nr -k1,1
}

case ${1:-} in
-h | --help)
	sed -n '3,/^set /s/^# \{0,1\}//p' "$0"
	exit 0
	;;
esac
while getopts o: option; do
	case $option in
	o) to=$OPTARG ;;
	*) exit 2 ;;
	esac
done
shift $((OPTIND - 1))
need strace awk
mkdir -p "$to"
to=$(cd "$to" && pwd)
[ $# -gt 0 ] || set -- web-server database compiler idle
strace -c -o "$work/try.strace" true 2>"$work/try.log" ||
	fail "strace may not trace here: $(tail -n 1 "$work/try.log")"
cd "$work"
for workload; do
	echo "recording $workload ..."
	case $workload in
	web-server) record_web_server ;;
	database) record_database ;;
	compiler) record_compiler ;;
	idle) record_idle ;;
	*) fail "$workload is none of web-server, database, compiler, idle" ;;
	esac
	echo "  $(grep -vc '^#' "$to/$workload.profile") calls in $to/$workload.profile"
done
