#!/bin/sh
# usage: man_page_test.sh COMMAND PAGE: the manual page has every command and option that --help lists.
set -eu
command=$1 page=$2
failed=0
plain=$(sed 's/\\-/-/g; s/\\fB//g; s/\\fR//g' "$page")
check() {  # of the subcommand that the arguments name
  help=$("$command" "$@" --help)
  section=$(echo "$plain" | sed -n "/^\.SH tessera${*:+ $*}\$/,/^\.SH /p")
  names=$(echo "$help" | sed -n 's/^  \(-[^ ]*\|[a-z]\{1,\} \).*/\1/p')
  [ -n "$names" ] || { echo "tessera $*: --help lists nothing"; failed=1; }
  for name in $names; do
    echo "$section" | grep -q -- "^$name" || { echo "tessera $*: no $name in $page"; failed=1; }
  done
  for subcommand in $(echo "$help" | sed -n 's/^  \([a-z]\{1,\}\) .*/\1/p'); do
    check "$@" "$subcommand"
  done
}
check
exit $failed
