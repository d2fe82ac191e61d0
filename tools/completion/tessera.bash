# Completion for bash: `tessera complete` lists what can follow the words of a command line.
_tessera() {
  # Bash splits words at colons and equals signs. Selectors of devices and values of options contain them.
  local words=() word joined= i
  for ((i = 1; i <= COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    if [[ (-n $joined || $word == [:=]) && ${#words[@]} -gt 0 ]]; then
      words[-1]+=$word
    else
      words+=("$word")
    fi
    [[ $word == [:=] ]] && joined=yes || joined=
  done
  # Bash replaces only the part of the last word after its last colon or equals sign.
  local last=${words[-1]} typed=${COMP_WORDS[COMP_CWORD]}
  [[ $typed != [:=] ]] || typed=
  local kept=${last%"$typed"}
  mapfile -t COMPREPLY < <("$1" complete "${words[@]}" 2> /dev/null | cut -f 1)
  COMPREPLY=("${COMPREPLY[@]#"$kept"}")
}
# Where there is no candidate, bash completes names of files.
complete -o default -F _tessera tessera
