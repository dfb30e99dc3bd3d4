#!/usr/bin/env bash
# Installs what is missing, builds with assertions, runs every test, and ends
# with a line `N passed, N failed`. --asan builds with the address and
# undefined behaviour sanitizers instead.
. "$(dirname "$0")/environment.sh"

build=$root/build-check
options=(-DCMAKE_BUILD_TYPE=RelWithDebInfo
  "-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1 -gline-tables-only")
for argument in "$@"; do
  case $argument in
  --asan)
    build=$root/build-asan
    options+=(-DGLOW_ASAN=ON)
    ;;
  *)
    echo "check.sh: error: unknown argument '$argument'; there is --asan" >&2
    exit 1
    ;;
  esac
done

install_packages
say "building in ${build#"$root"/}"
configure "$build" -DGLOW_TESTS=ON "${options[@]}"
cmake --build "$build"
say "running the tests"
results=$build/test-results.txt
: >"$results"
python3=/usr/bin/python3
set +e
PATH=/usr/lib/llvm-22/bin:$PATH "$python3" /usr/lib/llvm-22/bin/lit \
  "$build/test" --timeout 300 -s -v --json-output "$build/lit.json" 2>&1 |
  tee "$build/lit.log" | tail -n 60
"$python3" "$root/test/summary.py" "$build/lit.json"
