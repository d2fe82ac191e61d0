#!/bin/sh
# usage: man_page_test.sh COMMAND FOLDER: the manual pages have every command and option that --help lists. Each
# subcommand of tessera has a page, which the command's page names.
set -eu
command=$1 folder=$2
failed=0
check() {  # of the subcommand that the arguments name
  page=$folder/tessera${1:+-$1}.1
  help=$("$command" "$@" --help)
  plain=$(sed 's/\\-/-/g; s/\\fB//g; s/\\fR//g' "$page")
  echo "$plain" | sed -n '/^\.SH NAME$/{n;p}' | grep -q "^$(basename "$page" .1) - [A-Za-z]" ||
    { echo "$page: no name with a summary"; failed=1; }
  section=$(echo "$plain" | sed -n "/^\.SH tessera${*:+ $*}\$/,/^\.SH /p")
  names=$(echo "$help" | sed -n 's/^  \(-[^ ]*\|[a-z]\{1,\} \).*/\1/p')
  [ -n "$names" ] || { echo "tessera $*: --help lists nothing"; failed=1; }
  for name in $names; do
    echo "$section" | grep -q -- "^$name" || { echo "tessera $*: no $name in $page"; failed=1; }
  done
  for subcommand in $(echo "$help" | sed -n 's/^  \([a-z]\{1,\}\) .*/\1/p'); do
    [ $# -gt 0 ] || grep -q "^\.BR tessera\\\\-$subcommand (1)" "$folder/tessera.1" ||
      { echo "tessera(1) does not name tessera-$subcommand(1)"; failed=1; }
    check "$@" "$subcommand"
  done
}
check
exit $failed
