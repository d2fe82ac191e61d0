# Completion for bash: the commands, options and operations of tessera, as its --help lists them.
_tessera() {
  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} commands=() help i
  for ((i = 1; i < COMP_CWORD && i < 3; i++)); do
    [[ ${COMP_WORDS[i]} == [a-z]* ]] || break
    commands+=("${COMP_WORDS[i]}")
  done
  # The word after a command that has no subcommands is an argument.
  help=$("$1" "${commands[@]}" --help 2>/dev/null) ||
    help=$("$1" "${commands[@]:0:1}" --help 2>/dev/null) || return
  if [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "$(grep -oE '^  -[^ ]+' <<<"$help" | tr ',' ' ')" -- "$word"))
  elif [[ $help == *$'\nSubcommands:'* ]]; then
    COMPREPLY=($(compgen -W "$(sed -n '/^Subcommands:/,/^$/s/^  \([a-z]*\) .*/\1/p' <<<"$help")" -- "$word"))
  elif [[ $previous == tune ]]; then
    COMPREPLY=($(compgen -W "$(sed -n 's/^  OPERATION TEXT *What to tune: \([^;]*\);.*/\1/p' <<<"$help" | tr -d ',')" -- "$word"))
  fi
}
# Elsewhere it completes names of files.
complete -o default -F _tessera tessera
