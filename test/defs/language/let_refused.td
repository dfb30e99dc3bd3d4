// A mistake in a function of the language is reported with a caret, at the call
// or inside of the function.
// RUN: not %classgen %library -gen-lowerings %s -DRECURSION 2>&1 | FileCheck %s --check-prefix=RECURSION
// RUN: not %classgen %library -gen-lowerings %s -DITSELF 2>&1 | FileCheck %s --check-prefix=ITSELF
// RUN: not %classgen %library -gen-lowerings %s -DINSIDE 2>&1 | FileCheck %s --check-prefix=INSIDE
// RUN: not %classgen %library -gen-lowerings %s -DARGUMENT 2>&1 | FileCheck %s --check-prefix=ARGUMENT
// RUN: not %classgen %library -gen-lowerings %s -DARITY 2>&1 | FileCheck %s --check-prefix=ARITY
// RUN: not %classgen %library -gen-lowerings %s -DLABEL 2>&1 | FileCheck %s --check-prefix=LABEL
// RUN: not %classgen %library -gen-shape-defs %s -DGRAPH 2>&1 | FileCheck %s --check-prefix=GRAPH
// RUN: not %classgen %library -gen-lowerings %s -DLOOP 2>&1 | FileCheck %s --check-prefix=LOOP
// RUN: not %classgen %library -gen-lowerings %s -DCARRIED 2>&1 | FileCheck %s --check-prefix=CARRIED
// RUN: not %classgen %library -gen-onnx-imports %s -DRESULT 2>&1 | FileCheck %s --check-prefix=RESULT
// RUN: not %classgen %library -gen-onnx-imports %s -DUNUSED 2>&1 | FileCheck %s --check-prefix=UNUSED
// RUN: not %classgen %library -gen-lowerings %s -DTIER 2>&1 | FileCheck %s --check-prefix=TIER
// RUN: not %classgen %library -gen-lowerings %s -DTWICE 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not %classgen %library -gen-lowerings %s -DCIRCLE 2>&1 | FileCheck %s --check-prefix=CIRCLE
// RUN: not %classgen %library -gen-lowerings %s -DPARAMETERS 2>&1 | FileCheck %s --check-prefix=PARAMETERS
// RUN: not %classgen %library -gen-lowerings %s -DWORD 2>&1 | FileCheck %s --check-prefix=WORD
// RUN: not %classgen %library -gen-lowerings %s -DFREE 2>&1 | FileCheck %s --check-prefix=FREE
// RUN: not %classgen %library -gen-lowerings %s -DLATER 2>&1 | FileCheck %s --check-prefix=LATER
// RUN: not %classgen %library -gen-lowerings %s -DELEMENTS 2>&1 | FileCheck %s --check-prefix=ELEMENTS
// RUN: not %classgen %library -gen-lowerings %s -DASKED 2>&1 | FileCheck %s --check-prefix=ASKED
// RUN: not %classgen %library -gen-lowerings %s -DFORMULA 2>&1 | FileCheck %s --check-prefix=FORMULA
// RUN: not %classgen %library -gen-lowerings %s -DDECLARED 2>&1 | FileCheck %s --check-prefix=DECLARED
// RUN: not %classgen %library -gen-lowerings %s -DPAIRS 2>&1 | FileCheck %s --check-prefix=PAIRS

include "glow/Glow.td"

class Test<code body> : Node<"test", (ins "T[*s]":$in), (outs "T[*s]":$out)> {
  let tier = 5;
  let lowering = body;
  let samples = [Sample<"small", (ins "f32[2,3]")>];
}
def half : Let<(ins Int:$x), "x / 2">;
def flat : Let<(ins Tensor:$x), "Reshape(x, [elements(x)])">;

#ifdef RECURSION
def first : Let<(ins Int:$x), "second(x)">;
def second : Let<(ins Int:$x), "first(x) + 1">;
// RECURSION: let_refused.td:[[#@LINE-1]]:33: error: 'second' calls 'first', which leads back to it; a function of the language ends by construction
// RECURSION-NEXT: {{^.+}}
// RECURSION-NEXT: {{^ *\^}}
#endif
#ifdef ITSELF
def own : Let<(ins Int:$x), "if(x == 0, 1, x * own(x - 1))">;
// ITSELF: let_refused.td:[[#@LINE-1]]:48: error: 'own' calls 'own', which is itself
#endif
#ifdef INSIDE
def wrong : Let<(ins Ints:$x), "size(x) + x[true]">;
// INSIDE: let_refused.td:[[#@LINE-1]]:45: error: an index is of type bool, but must be int
// INSIDE-NEXT: {{^.+}}
// INSIDE-NEXT: {{^ *\^}}
#endif
#ifdef ARGUMENT
def Bad : Test<"out = Reshape(in, [half(shape(in))]);">;
// ARGUMENT: let_refused.td:[[#@LINE-1]]:41: error: 'x' of 'half' is of type ints, but must be int
// ARGUMENT-NEXT: {{^.+}}
// ARGUMENT-NEXT: {{^ *\^}}
#endif
#ifdef ARITY
def Bad : Test<"out = Reshape(in, [half(1, 2)]);">;
// ARITY: let_refused.td:[[#@LINE-1]]:36: error: 'half' takes 1 argument, not 2
#endif
#ifdef LABEL
def Bad : Test<"out = Reshape(in, [half(y: 1)]);">;
// LABEL: let_refused.td:[[#@LINE-1]]:44: error: 'half' has no parameter 'y'
#endif
#ifdef GRAPH
def Bad : Node<"test", (ins "T[*s]":$in), (outs "T[size(flat(s))]":$out)> {
  let tier = 5;
  let lowering = "out = in;";
  let samples = [Sample<"small", (ins "f32[2,3]")>];
}
// GRAPH: let_refused.td:[[#@LINE-5]]:57: error: 'flat' builds nodes or looks at tensors, which cannot be done here
#endif
#ifdef LOOP
def Bad : Test<"out = in; for i in 3 { out = Neg(out); }">;
// LOOP: let_refused.td:[[#@LINE-1]]:36: error: 'for' goes through a list, not through a value of type int
#endif
#ifdef CARRIED
def Bad : Test<"n = 1; for i in shape(in) { n = [n, i]; } out = in;">;
// CARRIED: let_refused.td:[[#@LINE-1]]:45: error: 'n' is of type int before the loop, and of type ints in it
#endif
#ifdef RESULT
def nothing : Let<(ins Tensor:$x), "y = Neg(x);"> { let results = ["y", "z"]; }
// RESULT: let_refused.td:[[#@LINE-1]]:5: error: 'nothing' gives no value to its result 'z'
#endif
#ifdef UNUSED
def unused : Let<(ins Tensor:$x), "Reshpe(x, [2])">;
// UNUSED: let_refused.td:[[#@LINE-1]]:36: error: unknown node or function 'Reshpe'; did you mean 'Reshape'?
#endif
#ifdef TIER
def up : Let<(ins Tensor:$x), "Bad(x)">;
def Bad : Test<"out = up(in);">;
// TIER: let_refused.td:[[#@LINE-1]]:23: error: rule 'BadByRecord' rewrites 'Bad' (tier 5) into 'Bad' (tier 5), which is not lower
#endif
#ifdef TWICE
def Softmax2 : Let<(ins Tensor:$x), "x">;
def size : Let<(ins Ints:$x), "1">;
// TWICE: let_refused.td:[[#@LINE-1]]:5: error: 'size' is the name of a function already
#endif
#ifdef CIRCLE
def Bad : Test<"out = first;"> { let with = (bind "-second":$first, "first + in":$second); }
// CIRCLE: let_refused.td:[[#@LINE-1]]:{{[0-9]+}}: error: 'first' of 'with' leads back to itself
#endif
#ifdef PARAMETERS
def twins : Let<(ins Int:$x, Ints:$x), "1">;
// PARAMETERS: let_refused.td:[[#@LINE-1]]:{{[0-9]+}}: error: 'twins' has two things of the name 'x'
#endif
#ifdef WORD
def union : Let<(ins Int:$x), "x">;
// WORD: let_refused.td:[[#@LINE-1]]:5: error: function 'union' is a word of C++, in which the name will stand
#endif
#ifdef FREE
def waved : Let<(ins Real:$x), "tanh(x * gain)">;
// FREE: let_refused.td:[[#@LINE-1]]:42: error: unknown name 'gain'
// FREE-NEXT: {{^.+}}
// FREE-NEXT: {{^ *\^}}
#endif
#ifdef LATER
def waved : Let<(ins Real:$x), "y = tanh(half); half = x / 2;">;
// LATER: let_refused.td:[[#@LINE-1]]:42: error: unknown name 'half'
#endif
#ifdef ELEMENTS
def waved : Let<(ins Real:$x), "y = tanh(x);"> { let results = ["z"]; }
// ELEMENTS: let_refused.td:[[#@LINE-1]]:5: error: 'waved' gives no value to its result 'z'
#endif
#ifdef ASKED
def shape : Let<(ins Ints:$x), "x">;
// ASKED: let_refused.td:[[#@LINE-1]]:5: error: 'shape' is a call that the language itself knows
#endif
#ifdef FORMULA
def tanh : Let<(ins Real:$x), "x">;
// FORMULA: let_refused.td:[[#@LINE-1]]:5: error: 'tanh' is the name of a function already
#endif
#ifdef DECLARED
def : Function<"count", ["ints"], "int">;
// DECLARED: let_refused.td:[[#@LINE-1]]:17: error: 'count' is a call that the language itself knows
#endif
#ifdef PAIRS
def Bad : Test<"out = in; for i, j in shape(in) { out = Neg(out); }">;
// PAIRS: let_refused.td:[[#@LINE-1]]:27: error: each name after 'for' takes a list after 'in'
#endif
