# A folder for the files of a test, and a cache for PoCL. A test starts with: . "$(dirname "$0")/prepare.sh"
set -eu
source=$PWD
work=${AUTOPKGTEST_TMP:-$(mktemp -d)}
export HOME="$work" POCL_CACHE_DIR="$work/pocl"
cd "$work"
