# SPDX-License-Identifier: GPL-2.0-or-later
# Completion of auditopt's command line for fish. Commands, options and their
# values are what the program itself tells (auditopt --help=completion).

# Lines of --help=completion that are options of the command on the line.
function __auditopt_options
    set -l words (commandline -opc)
    set -l told ($words[1] --help=completion 2>/dev/null)
    set -l command ''
    if set -q words[2]; and string match -q -- "command"\t"$words[2]"\t'*' $told
        set command $words[2]
    end
    string match -- "option"\t"$command"\t'*' $told
end

# __auditopt_values BEFORE ARGUMENT VALUES TYPED: candidates, each with BEFORE.
function __auditopt_values
    set -l before $argv[1]
    set -l values (string split ' ' -- $argv[3])
    set -l typed $argv[4]
    if test "$argv[2]" = CALL
        set -l words (commandline -opc)
        set values ($words[1] --help=calls 2>/dev/null)
    end
    if test -n "$values[1]"
        if string match -q '*,*' -- $typed
            set before $before(string replace -r '[^,]*$' '' -- $typed)
        end
        printf "%s\n" $before$values
    else if string match -q '*FILE*' -- $argv[2]
        printf "%s\n" $before(__fish_complete_path $typed)
    else if string match -q '*DIR*' -- $argv[2]
        printf "%s\n" $before(__fish_complete_directories $typed '')
    end
end

function __auditopt_complete
    set -l words (commandline -opc)
    set -l typed (commandline -ct)
    set -l last $words[-1]
    for line in (__auditopt_options)
        # option, command, long, short, argument, values, help
        set -l part (string split \t -- $line)
        set -l argument $part[5]
        if test -n "$argument"; and test -n "$part[3]"; and string match -q -- "$part[3]=*" $typed
            __auditopt_values "$part[3]=" $argument "$part[6]" (string replace -r '^[^=]*=' '' -- $typed)
            return
        end
        # what may be left out must be joined
        if test -n "$argument"; and not string match -q '[*' -- $argument
            if test -n "$last"; and contains -- $last "$part[3]" "$part[4]"
                __auditopt_values '' $argument "$part[6]" $typed
                return
            end
        end
    end
    if string match -q -- '-*' $typed
        for line in (__auditopt_options)
            set -l part (string split \t -- $line)
            set -l equals ''
            if test -n "$part[5]"; and not string match -q '[*' -- $part[5]
                set equals '='
            end
            test -n "$part[3]"; and printf "%s%s\t%s\n" $part[3] "$equals" $part[7]
            test -n "$part[4]"; and printf "%s\t%s\n" $part[4] $part[7]
        end
        return
    end
    if test (count $words) = 1
        for line in ($words[1] --help=completion 2>/dev/null)
            set -l part (string split \t -- $line)
            test $part[1] = command; and printf "%s\t%s\n" $part[2] $part[3]
        end
    end
    __fish_complete_path $typed
end

complete -c auditopt -f -a '(__auditopt_complete)'
