// RUN: not %classgen %library -gen-lowerings %s 2>&1 | FileCheck %s
// No text of the language is put together from pieces.

include "glow/Glow.td"

def Bad : Node<"bad", (ins "T[*s]":$in), (outs "T[*s]":$out)> {
  let tier = 5;
  let lowering = !strconcat("out = ", "Neg", "(in);");
  let samples = [Sample<"small", (ins "f32[2,3]")>];
}
// CHECK: pieces.td:[[#@LINE-5]]:5: error: a text of 'Bad' is put together from pieces, so that no caret can be put into it; a Let is a function, and `with` gives names to the parameters of a class: `out = {{Neg}}(in);`
