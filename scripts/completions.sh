#!/usr/bin/env bash
# Prints completions of the command's subcommands and options, from --help, for bash or zsh.
# Names of presets, workloads and keys are asked of the command when they are needed.
# Usage: completions.sh PROGRAM goldmem.bash|_goldmem
set -euo pipefail
program=$1 shell=$2

# subcommands: NAME<tab>TEXT
subcommands() { "$program" --help | sed -n '/^Subcommands:/,/^$/s/^  \([a-z]*\)  *\(.*\)/\1\t\2/p'; }

# options SUBCOMMAND: OPTION<tab>TEXT, with "=" behind a long one and "+" behind a short one that has a value
options() {
    "$program" "$1" --help | awk '
        function flush(i) { for (i = 1; i <= count; i++) print name[i] "\t" text; count = 0; text = "" }
        /^ +-/ && match($0, /--?[a-zA-Z]/) && RSTART <= 7 {
            flush()
            begin = match($0, /-/)
            head = substr($0, begin)
            # The text is in column 30, or behind a long name.
            if (substr($0, 29, 2) ~ / [^ ]/) { text = substr($0, 30); head = substr($0, begin, 29 - begin) }
            else if (match(head, /  +/)) { text = substr(head, RSTART + RLENGTH); head = substr(head, 1, RSTART - 1) }
            valued = head ~ /=/
            parts = split(head, part, / *, */)
            for (i = 1; i <= parts && part[i] ~ /^-/; i++) {
                sub(/\[?=.*/, "", part[i])
                name[++count] = part[i] (!valued ? "" : part[i] ~ /^--/ ? "=" : "+")
            }
            next
        }
        count && substr($0, 1, 28) ~ /^ *$/ && length($0) > 28 { sub(/^ +/, ""); text = text (text == "" ? "" : " ") $0; next }
        { flush() }
        END { flush() }'
}

quoted() { sed "s/'/'\\\\''/g"; }

if [ "$shell" = goldmem.bash ]; then
    echo '# Completions of goldmem for bash, made from its --help.'
    echo "_goldmem_options() {"
    echo "    case \$1 in"
    subcommands | cut -f1 | while read -r name; do
        [ "$name" = help ] || [ "$name" = trace ] || printf '    %s) echo "%s" ;;\n' "$name" "$(options "$name" | cut -f1 | tr -d + | paste -sd' ')"
    done
    echo "    esac"
    echo "}"
    printf "_goldmem_subcommands='%s'\n" "$(subcommands | cut -f1 | paste -sd' ')"
    cat <<'END'
_goldmem() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} from=$1 list='' prefix=''
    # bash makes a word of "=", and one of ":".
    [[ $word == = ]] && word=
    [[ $before == = ]] && before=${COMP_WORDS[COMP_CWORD - 2]}
    [[ $before == : && ${COMP_WORDS[COMP_CWORD - 2]} == workload ]] && before=workload:
    [[ $word == : && $before == workload ]] && before=workload: word=
    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        list=$_goldmem_subcommands
    else
        case $before in
        -p | --preset) list=$("$from" presets 2>/dev/null | sed -n 's/^\([a-z0-9-]*\)  .*/\1/p') ;;
        -s | --set) list=$("$from" docs configuration 2>/dev/null | sed -n 's/^| `\([a-z0-9_]*\.[a-z0-9_.]*\)`.*/\1=/p') ;;
        workload:) list=$("$from" workloads 2>/dev/null | sed -n 's/^\([a-z0-9_]*\)  .*/\1/p') ;;
        --engine) list='cycle order' ;;
        help | presets | workloads | docs)
            case $before in
            help) list=$_goldmem_subcommands ;;
            presets) list=$("$from" presets 2>/dev/null | sed -n 's/^\([a-z0-9-]*\)  .*/\1/p') ;;
            workloads) list=$("$from" workloads 2>/dev/null | sed -n 's/^\([a-z0-9_]*\)  .*/\1/p') ;;
            esac
            ;;
        trace) list='info check convert' ;;
        esac
        [[ $word == -* ]] && list=$(_goldmem_options "${COMP_WORDS[1]}")
        [[ -z $list && workload: == "$word"* && -n $word ]] && prefix=workload:
    fi
    mapfile -t COMPREPLY < <(compgen -W "$list $prefix" -- "$word")
    [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *[=:] ]] && compopt -o nospace 2>/dev/null
    [[ ${#COMPREPLY[@]} -ne 0 ]] || mapfile -t COMPREPLY < <(compgen -f -- "$word")
}
complete -o filenames -F _goldmem goldmem
END
else
    cat <<'END'
#compdef goldmem
# Completions of goldmem for zsh, made from its --help.
_goldmem_presets() { compadd -- ${(f)"$(goldmem presets 2>/dev/null | sed -n 's/^\([a-z0-9-]*\)  .*/\1/p')"} }
_goldmem_keys() { compadd -S = -- ${(f)"$(goldmem docs configuration 2>/dev/null | sed -n 's/^| `\([a-z0-9_]*\.[a-z0-9_.]*\)`.*/\1/p')"} }
_goldmem_inputs() { _files; compadd -P workload: -- ${(f)"$(goldmem workloads 2>/dev/null | sed -n 's/^\([a-z0-9_]*\)  .*/\1/p')"} }
_goldmem() {
  if ((CURRENT == 2)); then
    local -a subcommands=(
END
    subcommands | quoted | sed "s/:/\\\\:/g; s/\(.*\)\t\(.*\)/      '\1:\2'/"
    cat <<'END'
    )
    _describe subcommand subcommands; return
  fi
  case $words[2] in
END
    subcommands | cut -f1 | while read -r name; do
        case $name in
        help | trace) continue ;;
        esac
        printf '  %s) _arguments -S : \\\n' "$name"
        options "$name" | quoted | sed 's/[][]/\\&/g; s/:/\\:/g' | awk -F'\t' '{
            action = ""
            if ($1 ~ /[=+]$/) action = ":value:" ($1 ~ /^(-p\+|--preset=)$/ ? "_goldmem_presets" : $1 ~ /^(-s\+|--set=)$/ ? "_goldmem_keys" : $1 == "--engine=" ? "(cycle order)" : "_files")
            printf "    '\''*%s[%s]%s'\'' \\\n", $1, $2, action
        }'
        case $name in
        presets) echo "    '*:preset:_goldmem_presets' ;;" ;;
        *) echo "    '*:input:_goldmem_inputs' ;;" ;;
        esac
    done
    cat <<'END'
  trace) ((CURRENT == 3)) && compadd info check convert || _goldmem_inputs ;;
  help) compadd run sweep compare report litmus workloads presets trace index gates docs ;;
  esac
}
_goldmem "$@"
END
fi
