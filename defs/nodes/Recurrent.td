//===- Recurrent.td - networks that remember ------------------------------===//
//
// What a step adds of its input to its gates is known beforehand for all steps,
// by one product of matrices: `gates`. What is left is the loop over time. The
// gates of a cell lie one after the other, `h` columns each, and those of the
// second direction after those of the first. An item of the batch ends after
// `lengths` steps, at which a backward direction begins; from there on its
// results are 0. `clip`, unless it is 0, bounds the size of what enters an
// activation.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_NODES_RECURRENT
#define GLOW_NODES_RECURRENT

include "glow/functions/Activations.td"

def Direction : Choice<["forward", "reverse", "bidirectional"]>;

class Activations<int functions>
    : Require<"activations-known", "areActivations(activations, functions * d)",
              "activations {activations} must be {functions * d}, each one that a gate may have"> {
  let with = (bind functions:$functions);
}

// A cell has `parts` gates and `functions` activations.
class Recurrent<string mnemonic, int parts, int functions, dag more, dag state, dag choices>
    : Node<mnemonic,
    !con((ins "T[d,h,parts * h]":$weights, "T[t,n,d * parts * h]":$gates,
              "T[d,n,h]?":$initial, "i32[n]?":$lengths), more),
    !con((outs "T[t,d,n,h]":$out, "T[d,n,h]":$last), state),
    !con((ins Direction:$direction, Text:$activations, Real:$clip), choices)> {
  let types = (kinds Floats:$T);
  let with = (bind parts:$parts, functions:$functions);
  let requires = [
    Require<"directions-agree", "d == if(direction == \"bidirectional\", 2, 1)",
            "weights for {d} directions do not suit direction {direction}">,
    Activations<functions>,
    Require<"clip-not-negative", "clip >= 0", "clip {clip} must be at least 0">];
  let reason = "a step needs the result of the step before";
  let gradient = [{ none("the way back through the steps needs all states between them") }];
}
// Samples of a cell: three states of two items of one direction, and of one item
// of two. `absent` are operands that only some cells have.
class CellSamples<string weights, string gates, string bothWeights, string bothGates, dag absent, string both> {
  dag one = !con((ins weights, gates, "", ""), absent);
  list<Sample> all = [
    Sample<"forward", one>,
    Sample<"reverse", !con((ins weights, gates, "f32[1,2,3]", "i32[2] in 0..4"), absent), "direction = \"reverse\"; clip = 0.5">,
    Sample<"bidirectional", !con((ins bothWeights, bothGates, "f32[2,1,3]", ""), absent), both>,
    Refused<"directions-agree", one, "direction = \"bidirectional\"">,
    Refused<"activations-known", one, "activations = \"affine 2\"">,
    Refused<"clip-not-negative", one, "clip = -1.0">];
}

def Rnn : Recurrent<"rnn", 1, 1, (ins), (outs), (ins)> {
  let summary = "h = f(gates + h * weights), for each step";
  let hand = "rnn";
  let sampleValues = "direction = \"forward\"; activations = \"tanh\"; clip = 0.0";
  let samples = CellSamples<"f32[1,3,3]", "f32[4,2,3]", "f32[2,3,3]", "f32[4,1,6]", (ins),
                            "direction = \"bidirectional\"; activations = \"tanh, tanh\"">.all;
}

// Gates: z, r, g. `bias` belongs to g, where `resetAfter` has r beside it.
def Gru : Recurrent<"gru", 3, 2, (ins "T[d,h]?":$bias), (outs), (ins Flag:$resetAfter)> {
  let summary = "h = (1 - z) * g + z * h, where g sees r * h in place of h, or r * (h * weights + bias)";
  let hand = "gru";
  let sampleValues = "direction = \"forward\"; activations = \"sigmoid, tanh\"; clip = 0.0; resetAfter = false";
  let samples = !listconcat(CellSamples<"f32[1,3,9]", "f32[4,2,9]", "f32[2,3,9]", "f32[4,1,18]", (ins ""),
      "direction = \"bidirectional\"; activations = \"sigmoid, tanh, sigmoid, tanh\"">.all, [
    Sample<"after", (ins "f32[1,20,60]", "f32[3,2,60]", "f32[1,2,20]", "", "f32[1,20]"),
           "activations = \"hard_sigmoid 0.3 0.5, softsign\"; resetAfter = true">]);
}

// Gates: i, o, f, g, and what i, o and f see of the cell: i, o, f. `coupled`
// has 1 - i for f.
def Lstm : Recurrent<"lstm", 4, 3, (ins "T[d,n,h]?":$initialCell, "T[d,3 * h]?":$peepholes),
                     (outs "T[d,n,h]":$cell), (ins Flag:$coupled)> {
  let summary = "c = f * c + i * g and h = o * activation(c), for each step";
  let hand = "lstm";
  let sampleValues = "direction = \"forward\"; activations = \"sigmoid, tanh, tanh\"; clip = 0.0; coupled = false";
  let samples = !listconcat(CellSamples<"f32[1,3,12]", "f32[4,2,12]", "f32[2,3,12]", "f32[4,1,24]", (ins "", ""),
      "direction = \"bidirectional\"; activations = \"sigmoid, tanh, tanh, sigmoid, tanh, tanh\"">.all, [
    Sample<"peepholes", (ins "f32[1,20,80]", "f32[3,2,80]", "f32[1,2,20]", "", "f32[1,2,20]", "f32[1,60]"),
           "activations = \"sigmoid, relu, tanh\"; coupled = true">]);
}

//===----------------------------------------------------------------------===//
// States that are matrices
//===----------------------------------------------------------------------===//

// What the state forgets, and whether it takes the difference from what it has.
def LinearRule : Choice<["linear", "gated", "delta", "gated_delta"]>;

// Each of h heads of keys, which g queries share, has a state of as many rows as
// a key is wide and as many columns as a value. A decay is one for a head or one
// for each row, a rate one for a head or for all. Rules that do not say so know
// neither.
def LinearAttention : Node<"linear_attention",
    (ins "T[b,t,h,g,k]":$query, "T[b,t,h,k]":$key, "T[b,t,h,v]":$value, "S[b,h,k,v]":$state,
         "T[b,t,h,w]?":$decay, "T[b,t,r]?":$rate),
    (outs "T[b,t,h,g,v]":$out, "S[b,h,k,v]":$last),
    (ins LinearRule:$rule, Real:$scale)> {
  let summary = "state = exp(decay) * state, then state + key' (value), or with a delta "
                "state + key' (rate * (value - key state)), and out = scale * query state, for each step";
  let types = (kinds Floats:$T, Floats:$S);
  let requires = [
    Require<"decay-fits", "rule == \"linear\" || rule == \"delta\" || w == 1 || w == k",
            "rule {rule} needs a decay of width 1 or {k}, not {w}">,
    Require<"rate-fits", "rule == \"linear\" || rule == \"gated\" || r == 1 || r == h",
            "rule {rule} needs a rate for 1 or {h} heads, not {r}">];
  let hand = "linearAttention";
  let reason = "a step needs the state that the one before left";
  let gradient = [{ none("the way back through the steps needs all states between them") }];
  let samples = [
    Sample<"linear", (ins "f32[2,3,2,2,4]", "f32[2,3,2,4] in -1..1", "f32[2,3,2,5]", "f32[2,2,4,5]", "", ""),
           "rule = \"linear\"; scale = 0.5">,
    Sample<"gated", (ins "f32[2,3,2,1,4]", "f32[2,3,2,4] in -1..1", "f32[2,3,2,5]", "f32[2,2,4,5]", "f32[2,3,2,1] in -1..0", ""),
           "rule = \"gated\"; scale = 1.0">,
    Sample<"delta", (ins "f32[1,5,2,3,4]", "f32[1,5,2,4] in -0.5..0.5", "f32[1,5,2,3]", "f32[1,2,4,3]", "", "f32[1,5,1] in 0..1"),
           "rule = \"delta\"; scale = 0.5">,
    Sample<"both", (ins "f32[2,3,2,2,4]", "f32[2,3,2,4] in -0.5..0.5", "f32[2,3,2,5]", "f32[2,2,4,5]",
                        "f32[2,3,2,4] in -1..0", "f32[2,3,2] in 0..1"),
           "rule = \"gated_delta\"; scale = 0.5">,
    Refused<"decay-fits", (ins "f32[1,3,2,1,4]", "f32[1,3,2,4]", "f32[1,3,2,5]", "f32[1,2,4,5]", "f32[1,3,2,3]", ""),
           "rule = \"gated\"; scale = 0.5">,
    Refused<"rate-fits", (ins "f32[1,3,2,1,4]", "f32[1,3,2,4]", "f32[1,3,2,5]", "f32[1,2,4,5]", "", "f32[1,3,3]"),
           "rule = \"delta\"; scale = 0.5">];
}

#endif // GLOW_NODES_RECURRENT
