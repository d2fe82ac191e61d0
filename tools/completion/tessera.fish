# Completion for fish: `tessera complete` lists what can follow the words of a command line.
function __tessera_candidates
    set -l words (commandline -opc)
    set -l last (commandline -ct)
    set -l candidates ($words[1] complete $words[2..-1] "$last" 2> /dev/null)
    if set -q candidates[1]
        printf '%s\n' $candidates
    else
        __fish_complete_path "$last"
    end
end
complete -c tessera -f -a '(__tessera_candidates)'
