//===- Recurrent.td - networks that remember ------------------------------===//
// SPDX-License-Identifier: MIT
//
// The part of the gates that depends on the input is computed for all steps
// beforehand, by one product of matrices: `gates`. The node itself is the loop
// over time. The gates of a cell lie one after the other, `h` columns each, and
// the gates of the second direction follow those of the first. An item of the
// batch ends after `lengths` steps, at which a backward direction begins;
// later results are 0. `clip`, unless it is 0, bounds the magnitude of
// the input of a gate's activation. The result state of an LSTM is not clipped.
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

// The activation of gate value `x`, by activation `k` of the direction.
def gated : Let<(ins Text:$activations, Int:$k, Int:$functions, Int:$direction, Real:$x), [{
  first = cellActivation(activationName(activations, k), activationValue(activations, k, 0),
                    activationValue(activations, k, 1), x);
  second = cellActivation(activationName(activations, functions + k),
                          activationValue(activations, functions + k, 0),
                     activationValue(activations, functions + k, 1), x);
  result = if(direction == 0, first, second);
}]>;

// The input of an activation, limited by `clip`.
def clipped : Let<(ins Real:$clip, Real:$x), "if(clip > 0, max(-clip, min(clip, x)), x)">;

// A cell has `parts` gates and `functions` activations. Its statements run over
// steps s, directions i, items b and columns j. `steps` are those of an item, and
// `ends` is there to be looked into: a number of steps is among 0 to t.
class Recurrent<string mnemonic, int parts, int functions, dag more, dag state, dag choices>
    : Node<mnemonic,
    !con((ins "T[d,h,parts * h]":$weights, "T[t,n,d * parts * h]":$gates,
              "T[d,n,h]?":$initial, "i32[n]?":$lengths), more),
    !con((outs "T[t,d,n,h]":$out, "T[d,n,h]":$last), state),
    !con((ins Direction:$direction, Text:$activations, Real:$clip), choices)> {
  let types = (kinds Floats:$T);
  // Gates are added to sums of products, which are rounded themselves.
  let factors = ["weights", "gates", "initial"];
  // The weights of the state alone: the next step reads what a step gives.
  let integers = [Weights<"weights", 2>];
  let with = (bind parts:$parts, functions:$functions,
      "s < steps[b]":$alive,
      "if((direction == \"reverse\" || i == 1) && s < steps[b], steps[b] - 1 - s, s)":$time);
  let requires = [
    Require<"directions-agree", "d == if(direction == \"bidirectional\", 2, 1)",
            "weights for {d} directions do not suit direction {direction}">,
    Activations<functions>,
    Require<"clip-not-negative", "clip >= 0", "clip {clip} must be at least 0">];
}
// Samples of a cell: three states of two items of one direction, and of one item
// of two. `absent` are operands that only some cells have.
class CellSamples<string weights, string gates, string bothWeights, string bothGates, dag absent,
                  string both> {
  dag one = !con((ins weights, gates, "", ""), absent);
  list<Sample> all = [
    Sample<"forward", one>,
    Sample<"reverse", !con((ins weights, gates, "f32[1,2,3]", "i32[2] in 0..4"), absent),
           "direction = \"reverse\"; clip = 0.5">,
    Sample<"bidirectional", !con((ins bothWeights, bothGates, "f32[2,1,3]", ""), absent), both>,
    Refused<"directions-agree", one, "direction = \"bidirectional\"">,
    Refused<"activations-known", one, "activations = \"affine 2\"">,
    Refused<"clip-not-negative", one, "clip = -1.0">];
}

def Rnn : Recurrent<"rnn", 1, 1, (ins), (outs), (ins)> {
  let summary = "h = f(gates + h * weights), for each step";
  let scratch = (ins "T[d,n,h]":$sums, "i32[n]":$steps, "i32[t + 1]":$ends);
  let compute = [{
    ends[s] = 0;
    steps[b] = if(present(lengths), lengths[b] + ends[lengths[b]], t);
    last[i,b,j] = if(present(initial), initial[i,b,j], 0);
    out[s,i,b,j] = 0;
    scan s < t from 0 {
      sums[i,b,j] += last[i,b,k] * weights[i,k,0 * h + j];
      sums[i,b,j] = clipped(clip, sums[i,b,j] + gates[time,b,i * h + j]);
      last[i,b,j] = if(alive, gated(activations, 0, functions, i, sums[i,b,j]), last[i,b,j]);
      out[time,i,b,j] = if(alive, last[i,b,j], 0);
    }
  }];
  let sampleValues = "direction = \"forward\"; activations = \"tanh\"; clip = 0.0";
  let samples = !listconcat(CellSamples<"f32[1,3,3]", "f32[4,2,3]", "f32[2,3,3]", "f32[4,1,6]",
                                        (ins),
      "direction = \"bidirectional\"; activations = \"tanh, tanh\"">.all, [
    Sample<"relu", (ins "f32[2,3,3]", "f32[3,2,6]", "f32[2,2,3]", ""),
           "direction = \"bidirectional\"; activations = \"relu, elu 0.5\"">]);
}

// Gates: z, r, g. `bias` belongs to g, where `resetAfter` has r beside it.
def Gru : Recurrent<"gru", 3, 2, (ins "T[d,h]?":$bias), (outs), (ins Flag:$resetAfter)> {
  let summary = "h = (1 - z) * g + z * h, where g sees r * h in place of h, or r * (h * weights + "
                "bias)";
  let scratch = (ins "T[d,n,2,h]":$sums, "T[d,n,h]":$update, "T[d,n,h]":$reset, "T[d,n,h]":$seen,
                     "T[d,n,h]":$fresh, "i32[n]":$steps, "i32[t + 1]":$ends);
  let compute = [{
    ends[s] = 0;
    steps[b] = if(present(lengths), lengths[b] + ends[lengths[b]], t);
    last[i,b,j] = if(present(initial), initial[i,b,j], 0);
    out[s,i,b,j] = 0;
    scan s < t from 0 {
      sums[i,b,p,j] += last[i,b,k] * weights[i,k,p * h + j];
      sums[i,b,p,j] = clipped(clip, sums[i,b,p,j] + gates[time,b,(3 * i + p) * h + j]);
      update[i,b,j] = gated(activations, 0, functions, i, sums[i,b,0,j]);
      reset[i,b,j] = gated(activations, 0, functions, i, sums[i,b,1,j]);
      seen[i,b,j] += if(resetAfter, 1, reset[i,b,k]) * last[i,b,k] * weights[i,k,2 * h + j];
      seen[i,b,j] = seen[i,b,j] + bias[i,j];
      told = if(resetAfter, reset[i,b,j], 1) * seen[i,b,j];
      fresh[i,b,j] = clipped(clip, gates[time,b,3 * i * h + 2 * h + j] + told);
      fresh[i,b,j] = gated(activations, 1, functions, i, fresh[i,b,j]);
      next = (1 - update[i,b,j]) * fresh[i,b,j] + update[i,b,j] * last[i,b,j];
      last[i,b,j] = if(alive, next, last[i,b,j]);
      out[time,i,b,j] = if(alive, last[i,b,j], 0);
    }
  }];
  let sampleValues = [{direction = "forward"; activations = "sigmoid, tanh"; clip = 0.0;
                       resetAfter = false}];
  let samples = !listconcat(CellSamples<"f32[1,3,9]", "f32[4,2,9]", "f32[2,3,9]", "f32[4,1,18]",
                                        (ins ""),
      "direction = \"bidirectional\"; activations = \"sigmoid, tanh, sigmoid, tanh\"">.all, [
    Sample<"after", (ins "f32[1,20,60]", "f32[3,2,60]", "f32[1,2,20]", "", "f32[1,20]"),
           "activations = \"hard_sigmoid 0.3 0.5, softsign\"; resetAfter = true">]);
}

// Gates: i, o, f, g. Peepholes from the cell to i, o and f: i, o, f. `coupled`
// uses 1 - i for f.
def Lstm : Recurrent<"lstm", 4, 3, (ins "T[d,n,h]?":$initialCell, "T[d,3 * h]?":$peepholes),
                     (outs "T[d,n,h]":$cell), (ins Flag:$coupled)> {
  let summary = "c = f * c + i * g and h = o * activation(c), for each step";
  let scratch = (ins "T[d,n,4,h]":$sums, "T[d,n,h]":$input, "T[d,n,h]":$forget, "T[d,n,h]":$fresh,
                 "T[d,n,h]":$output, "T[d,n,h]":$shown,
                     "i32[n]":$steps, "i32[t + 1]":$ends);
  let compute = [{
    ends[s] = 0;
    steps[b] = if(present(lengths), lengths[b] + ends[lengths[b]], t);
    last[i,b,j] = if(present(initial), initial[i,b,j], 0);
    cell[i,b,j] = if(present(initialCell), initialCell[i,b,j], 0);
    out[s,i,b,j] = 0;
    scan s < t from 0 {
      sums[i,b,p,j] += last[i,b,k] * weights[i,k,p * h + j];
      sums[i,b,p,j] = sums[i,b,p,j] + gates[time,b,(4 * i + p) * h + j];
      sums[i,b,0,j] = sums[i,b,0,j] + peepholes[i,0 * h + j] * cell[i,b,j];
      sums[i,b,2,j] = sums[i,b,2,j] + peepholes[i,2 * h + j] * cell[i,b,j];
      sums[i,b,p,j] = if(p == 1, sums[i,b,p,j], clipped(clip, sums[i,b,p,j]));
      input[i,b,j] = gated(activations, 0, functions, i, sums[i,b,0,j]);
      forget[i,b,j] = gated(activations, 0, functions, i, sums[i,b,2,j]);
      fresh[i,b,j] = gated(activations, 1, functions, i, sums[i,b,3,j]);
      kept = if(coupled, 1 - input[i,b,j], forget[i,b,j]);
      cell[i,b,j] = if(alive, kept * cell[i,b,j] + input[i,b,j] * fresh[i,b,j], cell[i,b,j]);
      sums[i,b,1,j] = sums[i,b,1,j] + peepholes[i,1 * h + j] * cell[i,b,j];
      sums[i,b,1,j] = clipped(clip, sums[i,b,1,j]);
      output[i,b,j] = gated(activations, 0, functions, i, sums[i,b,1,j]);
      shown[i,b,j] = gated(activations, 2, functions, i, cell[i,b,j]);
      next = output[i,b,j] * shown[i,b,j];
      last[i,b,j] = if(alive, next, last[i,b,j]);
      out[time,i,b,j] = if(alive, last[i,b,j], 0);
    }
  }];
  let sampleValues = [{direction = "forward"; activations = "sigmoid, tanh, tanh"; clip = 0.0;
                       coupled = false}];
  let samples = !listconcat(CellSamples<"f32[1,3,12]", "f32[4,2,12]", "f32[2,3,12]", "f32[4,1,24]",
                                        (ins "", ""),
      [{direction = "bidirectional";
        activations = "sigmoid, tanh, tanh, sigmoid, tanh, tanh"}]>.all, [
    Sample<"peepholes", (ins "f32[1,20,80]", "f32[3,2,80]", "f32[1,2,20]", "", "f32[1,2,20]",
                         "f32[1,60]"),
           "activations = \"sigmoid, relu, tanh\"; coupled = true">]);
}

//===----------------------------------------------------------------------===//
// States that are matrices
//===----------------------------------------------------------------------===//

// Whether the state decays, and whether the value replaces its prediction.
def LinearRule : Choice<["linear", "gated", "delta", "gated_delta"]>;

// Each of h heads of keys, which g queries share, has a state of as many rows as
// a key is wide and as many columns as a value. A decay is one number for a head
// or one for each row; a rate is one number for a head or for all. A rule
// without a decay or a rate ignores that operand.
def LinearAttention : Node<"linear_attention",
    (ins "T[b,t,h,g,k]":$query, "T[b,t,h,k]":$key, "T[b,t,h,v]":$value, "T[b,h,k,v]":$state,
         "T[b,t,h,w]?":$decay, "T[b,t,r]?":$rate),
    (outs "T[b,h,k,v]":$last, "T[b,t,h,g,v]":$out),
    (ins LinearRule:$rule, Real:$scale)> {
  let summary = "state = exp(decay) * state, then state + key' (value), or with a delta "
                "state + key' (rate * (value - key state)), and out = scale * query state, for "
                "each step";
  let types = (kinds Floats:$T);
  let inout = "state";
  let scratch = (ins "T[b,h,v]":$held, "T[b,h,v]":$added);
  let requires = [
    Require<"decay-fits", "rule == \"linear\" || rule == \"delta\" || w == 1 || w == k",
            "rule {rule} needs a decay of width 1 or {k}, not {w}">,
    Require<"rate-fits", "rule == \"linear\" || rule == \"gated\" || r == 1 || r == h",
            "rule {rule} needs a rate for 1 or {h} heads, not {r}">];
  let compute = [{
    forgets = rule == "gated" || rule == "gated_delta";
    differs = rule == "delta" || rule == "gated_delta";
    scan t from 0 {
      factor = if(present(decay), if(forgets, exp(decay[b,t,h,if(w == 1, 0, i)]), 1), 1);
      last[b,h,i,j] = factor * last[b,h,i,j];
      held[b,h,j] += if(differs, key[b,t,h,i] * last[b,h,i,j], 0);
      rated = if(present(rate),
                 if(differs, rate[b,t,if(r == 1, 0, e)] * (value[b,t,e,j] - held[b,e,j]),
                    value[b,t,e,j]),
                 value[b,t,e,j]);
      added[b,e,j] = rated;
      last[b,h,i,j] = last[b,h,i,j] + key[b,t,h,i] * added[b,h,j];
      out[b,t,h,g,j] += scale * query[b,t,h,g,i] * last[b,h,i,j];
    }
  }];
  let samples = [
    Sample<"linear", (ins "f32[2,3,2,2,4]", "f32[2,3,2,4] in -1..1", "f32[2,3,2,5]", "f32[2,2,4,5]",
                      "", ""),
           "rule = \"linear\"; scale = 0.5">,
    Sample<"gated", (ins "f32[2,3,2,1,4]", "f32[2,3,2,4] in -1..1", "f32[2,3,2,5]", "f32[2,2,4,5]",
                     "f32[2,3,2,1] in -1..0", ""),
           "rule = \"gated\"; scale = 1.0">,
    Sample<"delta", (ins "f32[1,5,2,3,4]", "f32[1,5,2,4] in -0.5..0.5", "f32[1,5,2,3]",
                     "f32[1,2,4,3]", "", "f32[1,5,1] in 0..1"),
           "rule = \"delta\"; scale = 0.5">,
    Sample<"both", (ins "f32[2,3,2,2,4]", "f32[2,3,2,4] in -0.5..0.5", "f32[2,3,2,5]",
                    "f32[2,2,4,5]",
                        "f32[2,3,2,4] in -1..0", "f32[2,3,2] in 0..1"),
           "rule = \"gated_delta\"; scale = 0.5">,
    Refused<"decay-fits", (ins "f32[1,3,2,1,4]", "f32[1,3,2,4]", "f32[1,3,2,5]", "f32[1,2,4,5]",
                           "f32[1,3,2,3]", ""),
           "rule = \"gated\"; scale = 0.5">,
    Refused<"rate-fits", (ins "f32[1,3,2,1,4]", "f32[1,3,2,4]", "f32[1,3,2,5]", "f32[1,2,4,5]", "",
                          "f32[1,3,3]"),
           "rule = \"delta\"; scale = 0.5">];
}

#endif // GLOW_NODES_RECURRENT
