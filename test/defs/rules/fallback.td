// RUN: not %classgen %library -gen-legality %s 2>&1 | FileCheck %s
// RUN: not %classgen %library -gen-legality %s -DSELF 2>&1 | FileCheck %s --check-prefix=SELF
// RUN: %classgen %library -gen-legality %s -DSTRANGER | FileCheck %s --check-prefix=STRANGER
// RUN: %classgen %library -gen-backend-reference %s -DSTRANGER | FileCheck %s --check-prefix=PAGE

// A node that no backend of a fallback cycle runs would be passed on for ever.
// A fallback of another library is looked up when a model is compiled.
include "glow/Glow.td"

#ifdef SELF
// SELF: fallback.td:[[#@LINE+2]]:7: error: what a backend cannot run comes back to it, from 'alone' to 'alone'
def Alone : Backend<"alone"> {
  let fallback = "alone";
}
#else
#ifdef STRANGER
// STRANGER: {"stranger",{{.*}} "else", {}, {}, 0, 0, false, false, false},
// PAGE: What it does not run of a model, backend `else` does.
def Stranger : Backend<"stranger"> { let fallback = "else"; }
#else
// CHECK: fallback.td:[[#@LINE+2]]:7: error: what a backend cannot run comes back to it, from 'first' to 'second' to 'third' to 'first'
def First : Backend<"first"> {
  let fallback = "second";
}
def Second : Backend<"second"> { let fallback = "third"; }
def Third : Backend<"third"> { let fallback = "first"; }
#endif
#endif
