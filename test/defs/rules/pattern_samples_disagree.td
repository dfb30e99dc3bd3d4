// RUN: not %classgen %library -gen-pattern-table %s 2>&1 | FileCheck %s

// All samples of a pattern say for which backend it is.
include "glow/Glow.td"

def Twice : Pat<(Neg (Neg $x)), (replaceWithValue $x)>;
def : PatternSample<"Twice", (ins "f32[2]":$x), [{ y = Neg(Neg(x)); }]> { let backend = "chip"; }
// CHECK: pattern_samples_disagree.td:[[#@LINE+1]]:1: error: the samples of pattern 'Twice' say different things of when it applies
def : PatternSample<"Twice", (ins "f32[3]":$x), [{ y = Neg(Neg(x)); }]>;
