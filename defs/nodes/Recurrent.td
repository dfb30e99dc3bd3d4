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

include "glow/nodes/Activation.td"

// `more` operands are absent in the samples that `absent` is part of.
class Recurrent<string mnemonic, int gates, dag more, dag absent, dag state, dag choices,
                list<string> activations, string values = "">
    : Node<mnemonic,
    !con((ins !strconcat("T[d,h,", !cast<string>(gates), " * h]"):$weights,
              !strconcat("T[t,n,d * ", !cast<string>(gates), " * h]"):$gates,
              "T[d,n,h]?":$initial, "i32[n]?":$lengths), more),
    !con((outs "T[t,d,n,h]":$out, "T[d,n,h]":$last), state),
    !con((ins Choice<["forward", "reverse", "bidirectional"]>:$direction, Text:$activations, Real:$clip), choices)> {
  let types = (kinds Floats:$T);
  string number = !cast<string>(!size(activations));
  let requires = [
    Require<"directions-agree", "d == if(direction == \"bidirectional\", 2, 1)",
            "weights for {d} directions do not suit direction {direction}">,
    Require<"activations-known", "areActivations(activations, " # number # " * d)",
            "activations {activations} must be {" # number # " * d}, each one that a gate may have">,
    Require<"clip-not-negative", "clip >= 0", "clip {clip} must be at least 0">];
  let reason = "a step needs the result of the step before";
  let gradient = [{ none("the way back through the steps needs all states between them") }];

  string columns = !cast<string>(!mul(gates, 3));
  string words = !interleave(activations, ", ");
  dag one = !con((ins !strconcat("f32[1,3,", columns, "]"), !strconcat("f32[4,2,", columns, "]"), "", ""), absent);
  list<Sample> plain = [
    Sample<"forward", one, "direction = \"forward\"; activations = \"" # words # "\"; clip = 0.0" # values>,
    Sample<"reverse", !con((ins !strconcat("f32[1,3,", columns, "]"), !strconcat("f32[4,2,", columns, "]"),
                                "f32[1,2,3]", "i32[2] in 0..4"), absent),
           "direction = \"reverse\"; activations = \"" # words # "\"; clip = 0.5" # values>,
    Sample<"bidirectional", !con((ins !strconcat("f32[2,3,", columns, "]"),
                                      !strconcat("f32[4,1,", !cast<string>(!mul(gates, 6)), "]"), "f32[2,1,3]", ""), absent),
           "direction = \"bidirectional\"; activations = \"" # words # ", " # words # "\"; clip = 0.0" # values>,
    Refused<"directions-agree", one, "direction = \"bidirectional\"; activations = \"" # words # "\"; clip = 0.0" # values>,
    Refused<"activations-known", one, "direction = \"forward\"; activations = \"affine 2\"; clip = 0.0" # values>,
    Refused<"clip-not-negative", one, "direction = \"forward\"; activations = \"" # words # "\"; clip = -1.0" # values>];
}

def Rnn : Recurrent<"rnn", 1, (ins), (ins), (outs), (ins), ["tanh"]> {
  let summary = "h = f(gates + h * weights), for each step";
  let hand = "rnn";
  let samples = plain;
}

// Gates: z, r, g. `bias` belongs to g, where `resetAfter` has r beside it.
def Gru : Recurrent<"gru", 3, (ins "T[d,h]?":$bias), (ins ""), (outs), (ins Flag:$resetAfter),
                    ["sigmoid", "tanh"], "; resetAfter = false"> {
  let summary = "h = (1 - z) * g + z * h, where g sees r * h in place of h, or r * (h * weights + bias)";
  let hand = "gru";
  let samples = !listconcat(plain, [
    Sample<"after", (ins "f32[1,20,60]", "f32[3,2,60]", "f32[1,2,20]", "", "f32[1,20]"),
           "direction = \"forward\"; activations = \"hard_sigmoid 0.3 0.5, softsign\"; clip = 0.0; resetAfter = true">]);
}

// Gates: i, o, f, g, and what i, o and f see of the cell: i, o, f. `coupled`
// has 1 - i for f.
def Lstm : Recurrent<"lstm", 4, (ins "T[d,n,h]?":$initialCell, "T[d,3 * h]?":$peepholes), (ins "", ""),
                     (outs "T[d,n,h]":$cell), (ins Flag:$coupled), ["sigmoid", "tanh", "tanh"], "; coupled = false"> {
  let summary = "c = f * c + i * g and h = o * activation(c), for each step";
  let hand = "lstm";
  let samples = !listconcat(plain, [
    Sample<"peepholes", (ins "f32[1,20,80]", "f32[3,2,80]", "f32[1,2,20]", "", "f32[1,2,20]", "f32[1,60]"),
           "direction = \"forward\"; activations = \"sigmoid, relu, tanh\"; clip = 0.0; coupled = true">]);
}

//===----------------------------------------------------------------------===//
// States that are matrices
//===----------------------------------------------------------------------===//

// Each of h heads of keys, which g queries share, has a state of as many rows as
// a key is wide and as many columns as a value. A decay is one for a head or one
// for each row, a rate one for a head or for all. Rules that do not say so know
// neither.
def LinearAttention : Node<"linear_attention",
    (ins "T[b,t,h,g,k]":$query, "T[b,t,h,k]":$key, "T[b,t,h,v]":$value, "S[b,h,k,v]":$state,
         "T[b,t,h,w]?":$decay, "T[b,t,r]?":$rate),
    (outs "T[b,t,h,g,v]":$out, "S[b,h,k,v]":$last),
    (ins Choice<["linear", "gated", "delta", "gated_delta"]>:$rule, Real:$scale)> {
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
