#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Runs the recorded cases of Debian's libonnx-testdata: run_onnx_tests.sh BUILD
# BACKEND. Writes BUILD/test-onnx.log and BUILD/test-onnx.json, with -BACKEND in
# the names of any backend but the interpreter. Tests list the cases that may fail.
data=/usr/share/libonnx-testdata/data
name=$1/test-onnx
[ "$2" = interpreter ] || name+=-$2
"$1/tools/glow/glow" test-onnx "$data"/{node,simple,pytorch-operator,pytorch-converted} \
  "--backend=$2" "--json=$name.json" >"$name.log" 2>&1
[ -s "$name.json" ]
