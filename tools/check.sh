#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Installs what is missing, builds with assertions, runs every test, and ends
# with a line `N passed, N failed`. --asan builds with the address and
# undefined behaviour sanitizers instead; --tsan runs the tests of threads with
# the thread sanitizer, which knows nothing of LLVM's own libraries; --fuzz
# SECONDS runs the fuzzer of the importer with the other sanitizers.
. "$(dirname "$0")/environment.sh"

build=$root/build-check
options=(-DCMAKE_BUILD_TYPE=RelWithDebInfo
  "-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1 -gline-tables-only")
fuzz_seconds=
while [ $# -gt 0 ]; do
  case $1 in
  --asan)
    build=$root/build-asan
    options+=(-DGLOW_ASAN=ON)
    # LLVM's allocators poison memory where they are compiled with the sanitizer,
    # and hand it out as it is where they are not, as in its packaged libraries.
    export ASAN_OPTIONS=allow_user_poisoning=0
    ;;
  --tsan)
    build=$root/build-tsan
    options+=(-DGLOW_TSAN=ON)
    ;;
  --fuzz)
    build=$root/build-fuzz
    options+=(-DGLOW_ASAN=ON -DGLOW_FUZZ=ON)
    export ASAN_OPTIONS=allow_user_poisoning=0
    fuzz_seconds=${2:?check.sh: error: --fuzz needs a number of seconds}
    shift
    ;;
  *)
    echo "check.sh: error: unknown argument '$1'; there are --asan, --tsan and --fuzz SECONDS" >&2
    exit 1
    ;;
  esac
  shift
done

install_packages
say "building in ${build#"$root"/}"
configure "$build" -DGLOW_TESTS=ON "${options[@]}"
if [[ $build == *-tsan ]]; then
  cmake --build "$build" --target GlowRuntimeTests glow glow-compiler libglow
  "$build/test/runtime/GlowRuntimeTests" --gtest_brief=1
  exec /usr/bin/python3 /usr/lib/llvm-22/bin/lit "$build/test" -v \
    --filter 'capi/threads|cpu/threads'
fi
if [ -n "$fuzz_seconds" ]; then
  cmake --build "$build" --target GlowImporterFuzzer
  mkdir -p "$build/corpus" "$build/findings"
  find /usr/share/libonnx-testdata "$root/docs" -name '*.onnx' -size -32k |
    while read -r model; do
      cp "$model" "$build/corpus/$(sha1sum <"$model" | cut -c1-16).onnx"
    done
  exec "$build/test/GlowImporterFuzzer" "$build/corpus" \
    "-artifact_prefix=$build/findings/" "-max_total_time=$fuzz_seconds" \
    -max_len=40000 -timeout=120 -rss_limit_mb=4096 -close_fd_mask=2
fi
cmake --build "$build"
say "running the operator tests of Debian's libonnx-testdata"
"$root/tools/run_onnx_tests.sh" "$build" interpreter || true
say "operators: $(tail -n 1 "$build/test-onnx.log" | tr '\n' ' ')(see ${build#"$root"/}/test-onnx.log)"

say "sizes"
"$build/tools/glow/glow" ops --json >"$build/operators.json"
/usr/bin/python3 "$root/tools/sizes.py" "$root" "$build/operators.json" || true # a test judges

say "running the tests"
set +e
/usr/bin/python3 /usr/lib/llvm-22/bin/lit "$build/test" --timeout 600 -j 2 -v -s \
  --output "$build/lit.json" >"$build/lit.log" 2>&1
grep -vE '^(PASS|UNSUPPORTED):' "$build/lit.log" | tail -n 200
/usr/bin/python3 "$root/test/summary.py" "$build/lit.json"
