#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Completion: what each shell offers is what --help of each command lists. A shell
# that is not here is left out.
# shellcheck disable=SC2317,SC2016 # called by name; what other shells expand
. "${AUDITOPT_SRCDIR:?}/tests/lib/cli.sh"

completions=$AUDITOPT_SRCDIR/contrib/completions
ln -s "$AUDITOPT" auditopt
PATH=$PWD:$PATH
mkdir other
touch file1.rules file2.rules
words=$(auditopt --help=completion && awk -F '\t' '$1 == "command" { print $2 }' out)

ids=$("$AUDITOPT" check --explain=list | sed -n 's,^\([a-z][a-z0-9-]*\) .*,\1,p')
[ "$(echo "$ids" | wc -l)" -gt 90 ] || fail "few findings are listed"

# Each offer_SHELL WORD...: what is offered for the last word of a command line,
# sorted; what bash and zsh would put in front of it is not told.
offer_bash() {
	bash --norc -c 'source "$1"; shift
		compopt() { :; }
		COMP_WORDS=()
		for word; do
			case $word in
			--*=*) COMP_WORDS+=("${word%%=*}" = "${word#*=}") ;;
			*) COMP_WORDS+=("$word") ;;
			esac
		done
		[[ ${COMP_WORDS[-1]} ]] || [[ ${COMP_WORDS[-2]} != = ]] || unset "COMP_WORDS[-1]"
		COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
		_auditopt auditopt
		printf "%s\n" "${COMPREPLY[@]}"' bash "$completions/auditopt.bash" "$@" | sort -u
}

offer_zsh() {
	zsh -f -c 'file=$1; shift
		functions[body]=$(<$file)
		words=("$@") CURRENT=$#
		PREFIX=$words[CURRENT]
		compset() {
			case $2 in
			*=) PREFIX=${PREFIX#*=} ;;
			*,) [[ $PREFIX != *,* ]] || PREFIX=${PREFIX##*,} ;;
			esac
		}
		compadd() {
			[[ $1 != -S ]] || shift 2
			shift
			for word; do [[ $word != $PREFIX* ]] || print -r -- $word; done
		}
		_files() {
			local -a found
			if [[ ${1-} = -/ ]]; then found=($PREFIX*(/N)); else found=($PREFIX*(N)); fi
			print -rl -- $found
		}
		body' zsh "$completions/_auditopt" "$@" | grep . | sort -u
}

offer_fish() {
	line=
	for word; do
		line="$line${line:+ }$word"
	done
	HOME=$PWD XDG_CONFIG_HOME=$PWD XDG_DATA_HOME=$PWD fish --no-config -c \
		'source $argv[1]; complete -C $argv[2]' "$completions/auditopt.fish" "$line" | cut -f 1 |
		sed 's/^--[a-z-]*=\(.\)/\1/; s,/$,,' | sort -u
}

# offers SHELL WANTED WORD...: lines, without an = at the end.
offers() {
	shell=$1
	wanted=$2
	shift 2
	"offer_$shell" "$@" | sed 's/=$//' | sort -u >got
	printf '%s\n' "$wanted" | grep . | sort -u >want
	same want got "$shell, $*: what is offered is not what there is"
}

# options_of COMMAND: all that its help lists.
options_of() {
	# shellcheck disable=SC2086 # none or one
	"$AUDITOPT" $1 --help | sed -n '/^Options:/,/^$/{
		s/^  \(-.\), \(--[a-z-]*\).*/\1 \2/p
		s/^      \(--[a-z-]*\).*/\1/p
		s/^  \(-[A-Za-z]\) .*/\1/p
	}' | tr ' ' '\n'
}

check_shell() {
	for command in '' $words; do
		all=$(options_of "$command")
		[ "$(echo "$all" | wc -l)" -gt 5 ] || fail "the help of '$command' lists few options"
		long=$(echo "$all" | grep '^--')
		# shellcheck disable=SC2086 # none or one
		{
			[ "$1" = fish ] || offers "$1" "$all" auditopt $command -
			offers "$1" "$long" auditopt $command --
		}
	done
	offers "$1" "$(echo "$words" | grep ^c)" auditopt c
	offers "$1" "$(printf '%s\n' file1.rules file2.rules)" auditopt file
	offers "$1" "$(printf '%s\n' file1.rules file2.rules)" auditopt cost file
	offers "$1" "$(printf '%s\n' file1.rules file2.rules)" auditopt -o file
	offers "$1" "$(printf '%s\n' file1.rules file2.rules)" auditopt --profile file
	offers "$1" "$(printf '%s\n' file1.rules file2.rules)" auditopt --report=file
	offers "$1" other auditopt --root o
	offers "$1" "$(printf '%s\n' all auto)" auditopt --abi=a
	offers "$1" "$(printf '%s\n' native)" auditopt cost --abi n
	offers "$1" x86_64 auditopt --machine=x
	offers "$1" "$(printf '%s\n' 6.1 6.12)" auditopt cost --kernel=6
	offers "$1" json auditopt --report-format=j
	offers "$1" selinux auditopt --lsm=se
	offers "$1" "$(printf '%s\n' 0 1 2)" auditopt diff --level ''
	offers "$1" "$(printf '%s\n' openat openat2)" auditopt explain -S openat
	[ "$1" = zsh ] || offers "$1" "read,openat2" auditopt explain -S read,openat2
	# the catalogue's own list is what is offered
	offers "$1" "$ids" auditopt check --disable=
	offers "$1" "$ids" auditopt check --enable ''
	offers "$1" "list
$ids" auditopt check --explain=
	offers "$1" late-never auditopt check --explain late-
	[ "$1" = zsh ] || offers "$1" shadowed-rule,late-never auditopt check --disable shadowed-rule,late-
	# without a value of its own: a file follows
	offers "$1" "$(printf '%s\n' file1.rules file2.rules)" auditopt --backup file
	offers "$1" "$(printf '%s\n' file1.rules file2.rules)" auditopt --in-place file
}

[ -n "$words" ] || fail "--help=completion lists no commands"
for shell in bash zsh fish; do
	if command -v $shell >/dev/null 2>&1; then
		check_shell $shell
	else
		echo "skipped: no $shell here"
	fi
done

# The topics themselves.
run 0 --help=calls
out_has '^openat$'
[ "$(sort out | uniq -d | wc -l)" = 0 ] || fail "--help=calls tells a call twice"

finish
