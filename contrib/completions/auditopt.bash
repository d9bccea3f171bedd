# SPDX-License-Identifier: GPL-2.0-or-later
# Completion of auditopt's command line for bash. Commands, options and their
# values are what the program itself tells (auditopt --help=completion), so that
# none is forgotten here. Needs bash 4.
# shellcheck shell=bash

# _auditopt_tell PROGRAM WHAT COMMAND [OPTION]: the commands; the options of
# COMMAND, with = where a value must follow; or "ARGUMENT VALUE..." of OPTION.
_auditopt_tell() {
	"$1" --help=completion 2>/dev/null | awk -F '\t' -v what="$2" -v command="$3" -v option="${4-}" '
		what == "commands" && $1 == "command" { print $2 }
		$1 != "option" || $2 != command { next }
		what == "options" {
			if ($3 != "")
				print $3 ($5 != "" && $5 !~ /^\[/ ? "=" : "")
			if ($4 != "")
				print $4
		}
		what == "value" && (option == $3 || option == $4) { print $5, $6; exit }'
}

# _auditopt_words WORDS: those that begin with what is typed, behind a last comma.
_auditopt_words() {
	local before=
	[[ $cur == *,* ]] && before=${cur%,*},
	mapfile -t COMPREPLY < <(compgen -P "$before" -W "$1" -- "${cur##*,}")
}

_auditopt_files() {
	compopt -o filenames 2>/dev/null
	mapfile -t COMPREPLY < <(compgen "$1" -- "$cur")
}

# The value of an option that wants one called $1, known ones being $2.
_auditopt_value() {
	if [[ $2 ]]; then
		_auditopt_words "$2"
		return
	fi
	case $1 in
	*FILE*) _auditopt_files -f ;;
	*DIR*) _auditopt_files -d ;;
	CALL) _auditopt_words "$("$program" --help=calls 2>/dev/null)" ;;
	esac
}

_auditopt() {
	local program=$1 cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
	local command='' option='' joined='' value
	COMPREPLY=()

	if ((COMP_CWORD > 1)) && _auditopt_tell "$program" commands '' | grep -qxF -e "${COMP_WORDS[1]}"; then
		command=${COMP_WORDS[1]}
	fi
	# bash makes a word of each =
	if [[ $cur == = ]]; then
		option=$prev cur='' joined=yes
	elif [[ $prev == = ]] && ((COMP_CWORD > 2)); then
		option=${COMP_WORDS[COMP_CWORD - 2]} joined=yes
	elif [[ $prev == -?* ]]; then
		option=$prev
	fi
	if [[ $option ]]; then
		value=$(_auditopt_tell "$program" value "$command" "$option")
		# what may be left out must be joined
		if [[ $value && $value != ' '* && ($joined || $value != '['*) ]]; then
			_auditopt_value "${value%% *}" "${value#* }"
			return
		fi
	fi
	if [[ $cur == -* ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$(_auditopt_tell "$program" options "$command")" -- "$cur")
		[[ ${COMPREPLY-} == *= ]] && compopt -o nospace 2>/dev/null
		return
	fi
	_auditopt_files -f
	if ((COMP_CWORD == 1)); then
		mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -W "$(_auditopt_tell "$program" commands '')" -- "$cur")
	fi
}

complete -F _auditopt auditopt
