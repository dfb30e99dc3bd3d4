//===- RecurrentGradients.td - gradients of recurrent nodes ---------------===//
// SPDX-License-Identifier: MIT
//
// A gradient has three parts. The gates of all steps are computed again from the
// states, by one product. The derivatives of each step by its gates, the factors,
// follow from these. A backward node then goes from the last step to the first,
// and multiplies by the factors and by the turned weights. The gradient of the
// weights is one product over all steps again.
//
// Gates have the shape [t,n,d,p,h] here: steps, items, directions, gates, columns.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_NODES_RECURRENT_GRADIENTS
#define GLOW_NODES_RECURRENT_GRADIENTS

include "glow/nodes/Recurrent.td"

// The derivative of the activation of gate value `x`, which is 0 where `clip` holds.
def slope : Let<(ins Text:$activations, Int:$k, Int:$functions, Int:$direction, Real:$clip,
                     Real:$x), [{
  first = cellSlope(activationName(activations, k), activationValue(activations, k, 0),
                    activationValue(activations, k, 1), x);
  second = cellSlope(activationName(activations, functions + k),
                     activationValue(activations, functions + k, 0),
                     activationValue(activations, functions + k, 1), x);
  free = if(clip > 0, if(abs(x) > clip, 0, 1), 1);
  result = free * if(direction == 0, first, second);
}]>;

// The rows of states [t,d,n,h], for each direction.
def rowsOfStates : Let<(ins Tensor:$states),
    [{Reshape(Transpose(states, [1, 0, 2, 3]),
              [shape(states)[1], shape(states)[0] * shape(states)[2], shape(states)[3]])}]>;
// The rows of gates [t,n,d,p,h], for each direction.
def rowsOfGates : Let<(ins Tensor:$gates),
    [{Reshape(Transpose(gates, [2, 0, 1, 3, 4]),
              [shape(gates)[2], shape(gates)[0] * shape(gates)[1],
               shape(gates)[3] * shape(gates)[4]])}]>;
// The product of the states of all steps with weights [d,h,p * h], as gates.
def productOfStates : Let<(ins Tensor:$states, Tensor:$weights), [{
  rows = MatMul(rowsOfStates(states), weights);
  result = Transpose(Reshape(rows, [shape(states)[1], shape(states)[0], shape(states)[2],
                                    shape(weights)[2] / shape(states)[3], shape(states)[3]]),
                     [1, 2, 0, 3, 4]);
}]>;
// The gradient of the weights in that product.
def gradientOfWeights : Let<(ins Tensor:$states, Tensor:$ofGates),
    "MatMul(Transpose(rowsOfStates(states), [0, 2, 1]), rowsOfGates(ofGates))">;
// Gates from `first` on.
def someGates : Let<(ins Tensor:$gates, Int:$first, Int:$number),
    [{Slice(gates, [0, 0, 0, first, 0], [1, 1, 1, 1, 1],
            [*take(shape(gates), 3), number, shape(gates)[4]])}]>;
// One gate, with its axis and without.
def asGates : Let<(ins Tensor:$gate),
                  "Reshape(gate, [*take(shape(gate), 3), 1, shape(gate)[3]])">;
def oneGate : Let<(ins Tensor:$gates, Int:$number),
    [{Reshape(someGates(gates, number, 1), [*take(shape(gates), 3), shape(gates)[4]])}]>;

// A node that goes over the steps of cells.
class OverSteps<string mnemonic, dag operands, dag results, dag attributes>
    : Node<mnemonic, operands, results, attributes> {
  let types = (kinds Floats:$T);
  let derivatives = 1;
  let with = (bind "s < steps[b]":$alive,
      "if((direction == \"reverse\" || i == 1) && s < steps[b], steps[b] - 1 - s, s)":$time);
}

def StatesBefore : Node<"states_before",
    (ins "T[t,d,n,h]":$states, "T[d,n,h]?":$initial, "i32[n]?":$lengths),
    (outs "T[t,d,n,h]":$out), (ins Direction:$direction)> {
  let summary = "the state with which each step of a recurrent node begins";
  let types = (kinds Floats:$T);
  let derivatives = 1;
  let scratch = (ins "i32[n]":$steps, "i32[t + 1]":$ends);
  let with = (bind "direction == \"reverse\" || i == 1":$backward);
  let compute = [{
    ends[s] = 0;
    steps[b] = if(present(lengths), lengths[b] + ends[lengths[b]], t);
    start = if(present(initial), initial[i,b,j], 0);
    out[s,i,b,j] = if(backward,
                      if(s + 1 == steps[b], start, states[s + 1,i,b,j]),
                      if(s == 0, start, states[s - 1,i,b,j]));
  }];
  let samples = [
    Sample<"forward", (ins "f32[4,1,2,3]", "f32[1,2,3]", ""), "direction = \"forward\"">,
    Sample<"reverse", (ins "f32[4,1,2,3]", "f32[1,2,3]", "i32[2] in 0..4"),
           "direction = \"reverse\"">,
    Sample<"bidirectional", (ins "f32[4,2,2,3]", "", ""), "direction = \"bidirectional\"">];
}

//===----------------------------------------------------------------------===//
// Gates
//===----------------------------------------------------------------------===//

// An activation of all steps, of `functions` that each direction has.
class OfGate<string mnemonic, string summary_, code text>
    : Node<mnemonic, (ins "T[t,n,d,h]":$in), (outs "T[t,n,d,h]":$out),
           (ins Text:$activations, Int:$activation, Int:$functions, Real:$clip)> {
  let summary = summary_;
  let types = (kinds Floats:$T);
  let derivatives = 1;
  let requires = [
    Require<"activations-known", "areActivations(activations, functions * d)",
            "activations {activations} must be {functions * d}, each one that a gate may have">,
    Require<"activation-there", "activation >= 0 && activation < functions",
            "activation {activation} is none of {functions}">];
  let compute = text;
  let samples = [
    Sample<"sigmoid", (ins "f32[2,3,1,4]"),
           "activations = \"sigmoid\"; activation = 0; functions = 1; clip = 0.0">,
    Sample<"second", (ins "f32[2,1,2,4]"),
           [{activations = "tanh, softsign, elu 0.5, scaled_tanh 0.7 1.5";
             activation = 1; functions = 2; clip = 0.4}]>,
    Sample<"hard", (ins "f32[2,1,2,4]"),
           [{activations = "hard_sigmoid 0.3 0.5, softplus"; activation = 0; functions = 1;
             clip = 0.0}]>,
    Sample<"affine", (ins "f32[2,1,2,4]"),
           [{activations = "affine 0.5 0.25, leaky_relu 0.1"; activation = 0; functions = 1;
             clip = 0.0}]>,
    Sample<"relu", (ins "f32[2,1,2,4]"),
           [{activations = "relu, thresholded_relu 0.1"; activation = 0; functions = 1;
             clip = 0.0}]>,
    Refused<"activations-known", (ins "f32[2,3,1,4]"),
            "activations = \"sigmoid\"; activation = 0; functions = 2; clip = 0.0">,
    Refused<"activation-there", (ins "f32[2,3,1,4]"),
            "activations = \"sigmoid\"; activation = 1; functions = 1; clip = 0.0">];
}
def GateValues : OfGate<"gate_values", "an activation of the gates of all steps",
    "out[s,b,i,j] = gated(activations, activation, functions, i, clipped(clip, in[s,b,i,j]))">;
def GateSlopes : OfGate<"gate_slopes", "the derivatives of an activation of the gates of all steps",
    "out[s,b,i,j] = slope(activations, activation, functions, i, clip, in[s,b,i,j])">;

//===----------------------------------------------------------------------===//
// Rnn, and Gru with its reset behind the product
//===----------------------------------------------------------------------===//

// With the gradient `all` of a state, a gate p has the gradient all * factors[p]. The state before
// takes all * kept, which is absent in an Rnn, and the product of the gates with the weights.
def RnnBackward : OverSteps<"rnn_backward",
    (ins "T[t,n,d,p,h]":$factors, "T[t,n,d,h]?":$kept, "T[d,p * h,h]":$turned, "i32[n]?":$lengths,
         "T[t,d,n,h]":$ofOut, "T[d,n,h]":$ofLast),
    (outs "T[t,n,d,p,h]":$ofGates, "T[t,n,d,h]":$ofStates, "T[d,n,h]":$ofInitial),
    (ins Direction:$direction)> {
  let summary = "the gradients of the gates and states of an Rnn, from the last step to the first";
  let scratch = (ins "T[d,n,h]":$all, "T[d,n,p,h]":$parts, "T[d,n,h]":$carried, "i32[n]":$steps,
                     "i32[t + 1]":$ends);
  let compute = [{
    ends[s] = 0;
    steps[b] = if(present(lengths), lengths[b] + ends[lengths[b]], t);
    ofInitial[i,b,j] = ofLast[i,b,j];
    ofGates[s,b,i,q,j] = 0;
    ofStates[s,b,i,j] = 0;
    scan s < t to 0 {
      all[i,b,j] = ofInitial[i,b,j] + ofOut[time,i,b,j];
      parts[i,b,q,j] = all[i,b,j] * factors[time,b,i,q,j];
      ofGates[time,b,i,q,j] = if(alive, parts[i,b,q,j], 0);
      ofStates[time,b,i,j] = if(alive, all[i,b,j], 0);
      carried[i,b,j] += parts[i,b,q,k] * turned[i,q * h + k,j];
      carried[i,b,j] = carried[i,b,j] + all[i,b,j] * kept[time,b,i,j];
      ofInitial[i,b,j] = if(alive, carried[i,b,j], ofInitial[i,b,j]);
    }
  }];
  let samples = [
    Sample<"rnn", (ins "f32[4,2,1,1,3] in -0.5..0.5", "", "f32[1,3,3] in -0.5..0.5", "",
                       "f32[4,1,2,3]", "f32[1,2,3]"), "direction = \"forward\"">,
    Sample<"gru", (ins "f32[4,2,1,3,3] in -0.5..0.5", "f32[4,2,1,3] in 0..1",
                       "f32[1,9,3] in -0.5..0.5", "i32[2] in 0..4", "f32[4,1,2,3]",
                       "f32[1,2,3]"), "direction = \"reverse\"">,
    Sample<"bidirectional", (ins "f32[3,2,2,3,20] in -0.5..0.5", "f32[3,2,2,20] in 0..1",
                                 "f32[2,60,20] in -0.5..0.5", "", "f32[3,2,2,20]",
                                 "f32[2,2,20]"), "direction = \"bidirectional\"">];
}

def : Gradient<Rnn, [{
  before = StatesBefore(out, initial, lengths, direction);
  sums = productOfStates(before, weights) + Reshape(gates, [t, n, d, 1, h]);
  factors = GateSlopes(Reshape(sums, [t, n, d, h]), activations, 0, 1, clip);
  ofGates, ofStates, ofInitial = RnnBackward(Reshape(factors, [t, n, d, 1, h]), none,
      Transpose(weights, [0, 2, 1]), lengths, d.out, d.last, direction);
  d.weights = gradientOfWeights(before, ofGates);
  d.gates = Reshape(ofGates, shape(gates));
  d.initial = ofInitial;
}]>;

//===----------------------------------------------------------------------===//
// Gru
//===----------------------------------------------------------------------===//

// A Gru that scales the state by the reset gate before the product.
def GruBackward : OverSteps<"gru_backward",
    (ins "T[t,n,d,3,h]":$factors, "T[t,n,d,h]":$reset, "T[t,n,d,h]":$kept, "T[d,3 * h,h]":$turned,
         "i32[n]?":$lengths, "T[t,d,n,h]":$ofOut, "T[d,n,h]":$ofLast),
    (outs "T[t,n,d,3,h]":$ofGates, "T[d,n,h]":$ofInitial), (ins Direction:$direction)> {
  let summary = "the gradients of the gates of a Gru, from the last step to the first";
  let scratch = (ins "T[d,n,h]":$all, "T[d,n,3,h]":$parts, "T[d,n,h]":$scaled,
                     "T[d,n,h]":$carried, "i32[n]":$steps, "i32[t + 1]":$ends);
  let compute = [{
    ends[s] = 0;
    steps[b] = if(present(lengths), lengths[b] + ends[lengths[b]], t);
    ofInitial[i,b,j] = ofLast[i,b,j];
    ofGates[s,b,i,q,j] = 0;
    scan s < t to 0 {
      all[i,b,j] = ofInitial[i,b,j] + ofOut[time,i,b,j];
      parts[i,b,q,j] = all[i,b,j] * factors[time,b,i,q,j];
      scaled[i,b,j] += parts[i,b,2,k] * turned[i,2 * h + k,j];
      parts[i,b,1,j] = scaled[i,b,j] * factors[time,b,i,1,j];
      ofGates[time,b,i,q,j] = if(alive, parts[i,b,q,j], 0);
      carried[i,b,j] += parts[i,b,0,k] * turned[i,0 * h + k,j];
      carried[i,b,j] += parts[i,b,1,k] * turned[i,1 * h + k,j];
      carried[i,b,j] = carried[i,b,j] + scaled[i,b,j] * reset[time,b,i,j]
                       + all[i,b,j] * kept[time,b,i,j];
      ofInitial[i,b,j] = if(alive, carried[i,b,j], ofInitial[i,b,j]);
    }
  }];
  let samples = [
    Sample<"forward", (ins "f32[4,2,1,3,3] in -0.5..0.5", "f32[4,2,1,3] in 0..1",
                           "f32[4,2,1,3] in 0..1", "f32[1,9,3] in -0.5..0.5", "",
                           "f32[4,1,2,3]", "f32[1,2,3]"), "direction = \"forward\"">,
    Sample<"bidirectional", (ins "f32[3,2,2,3,4] in -0.5..0.5", "f32[3,2,2,4] in 0..1",
                                 "f32[3,2,2,4] in 0..1", "f32[2,12,4] in -0.5..0.5",
                                 "i32[2] in 0..3", "f32[3,2,2,4]", "f32[2,2,4]"),
           "direction = \"bidirectional\"">];
}

// Gates z, r, g.
def : Gradient<Gru, [{
  before = StatesBefore(out, initial, lengths, direction);
  states = Transpose(before, [0, 2, 1, 3]);
  wide = Reshape(gates, [t, n, d, 3, h]);
  firstWeights, lastWeights = Split(weights, 2, [2 * h, h]);
  sums = productOfStates(before, if(resetAfter, weights, firstWeights));
  z = oneGate(sums, 0) + oneGate(wide, 0);
  r = oneGate(sums, 1) + oneGate(wide, 1);
  update = GateValues(z, activations, 0, 2, clip);
  reset = GateValues(r, activations, 0, 2, clip);
  scaled = before * Transpose(reset, [0, 2, 1, 3]);
  product = if(resetAfter, oneGate(sums, 2), oneGate(productOfStates(scaled, lastWeights), 0));
  seen = if(present(bias), product + Broadcast(Reshape(bias, [1, 1, d, h]), [t, n, d, h]), product);
  g = oneGate(wide, 2) + if(resetAfter, reset * seen, seen);
  fresh = (1.0 - update) * GateSlopes(g, activations, 1, 2, clip);
  byUpdate = (states - GateValues(g, activations, 1, 2, clip))
             * GateSlopes(z, activations, 0, 2, clip);
  byReset = if(resetAfter, fresh * seen, states) * GateSlopes(r, activations, 0, 2, clip);
  factors = Concat([asGates(byUpdate), asGates(byReset),
                    asGates(if(resetAfter, fresh * reset, fresh))], 3);
  turned = Transpose(weights, [0, 2, 1]);
  after, all, initialAfter = RnnBackward(factors, update, turned, lengths, d.out, d.last,
                                         direction);
  other, initialBefore = GruBackward(factors, reset, update, turned, lengths, d.out, d.last,
                                     direction);
  ofGates = if(resetAfter, after, other);
  d.weights = if(resetAfter, gradientOfWeights(before, ofGates),
                 Concat([gradientOfWeights(before, someGates(ofGates, 0, 2)),
                         gradientOfWeights(scaled, someGates(ofGates, 2, 1))], 2));
  d.gates = Reshape(if(resetAfter, Concat([someGates(ofGates, 0, 2), asGates(all * fresh)], 3),
                       ofGates),
                    shape(gates));
  d.initial = if(resetAfter, initialAfter, initialBefore);
  d.bias = ReduceSum(oneGate(ofGates, 2), [0, 1], false);
}]>;

//===----------------------------------------------------------------------===//
// Lstm
//===----------------------------------------------------------------------===//

// Gates i, o, f, g, as in an Lstm.
def LstmCells : OverSteps<"lstm_cells",
    (ins "T[t,n,d,4,h]":$sums, "T[d,n,h]?":$initialCell, "i32[n]?":$lengths,
         "T[d,3 * h]?":$peepholes),
    (outs "T[t,d,n,h]":$cells),
    (ins Direction:$direction, Text:$activations, Real:$clip, Flag:$coupled)> {
  let summary = "the cells of an Lstm after each step, from the inputs of its gates";
  let requires = [Activations<3>];
  let scratch = (ins "T[d,n,h]":$cell, "T[d,n,4,h]":$x, "T[d,n,h]":$input, "T[d,n,h]":$forget,
                     "T[d,n,h]":$fresh, "i32[n]":$steps, "i32[t + 1]":$ends);
  let compute = [{
    ends[s] = 0;
    steps[b] = if(present(lengths), lengths[b] + ends[lengths[b]], t);
    cell[i,b,j] = if(present(initialCell), initialCell[i,b,j], 0);
    cells[s,i,b,j] = 0;
    scan s < t from 0 {
      x[i,b,q,j] = sums[time,b,i,q,j];
      x[i,b,0,j] = x[i,b,0,j] + peepholes[i,0 * h + j] * cell[i,b,j];
      x[i,b,2,j] = x[i,b,2,j] + peepholes[i,2 * h + j] * cell[i,b,j];
      input[i,b,j] = gated(activations, 0, 3, i, clipped(clip, x[i,b,0,j]));
      own = gated(activations, 0, 3, i, clipped(clip, x[i,b,2,j]));
      forget[i,b,j] = if(coupled, 1 - input[i,b,j], own);
      fresh[i,b,j] = gated(activations, 1, 3, i, clipped(clip, x[i,b,3,j]));
      next = forget[i,b,j] * cell[i,b,j] + input[i,b,j] * fresh[i,b,j];
      cell[i,b,j] = if(alive, next, cell[i,b,j]);
      cells[time,i,b,j] = cell[i,b,j];
    }
  }];
  let samples = [
    Sample<"forward", (ins "f32[4,2,1,4,3]", "f32[1,2,3]", "", ""),
           [{direction = "forward"; activations = "sigmoid, tanh, tanh"; clip = 0.0;
             coupled = false}]>,
    Sample<"peepholes", (ins "f32[4,2,2,4,3]", "", "i32[2] in 0..4", "f32[2,9]"),
           [{direction = "bidirectional"; clip = 0.5; coupled = false;
             activations = "sigmoid, tanh, tanh, sigmoid, softsign, tanh"}]>,
    Sample<"coupled", (ins "f32[3,2,1,4,20]", "f32[1,2,20]", "", "f32[1,60]"),
           [{direction = "reverse"; activations = "sigmoid, tanh, tanh"; clip = 0.0;
             coupled = true}]>,
    Refused<"activations-known", (ins "f32[4,2,1,4,3]", "f32[1,2,3]", "", ""),
            [{direction = "forward"; activations = "sigmoid, tanh"; clip = 0.0;
              coupled = false}]>];
}

// The gradient of a state is `all`. `factors` are the derivatives of the cell by i, f and g, and
// of the state by o; `shown` is that of the state by the cell, and `kept` of the cell by the cell
// before.
def LstmBackward : OverSteps<"lstm_backward",
    (ins "T[t,n,d,4,h]":$factors, "T[t,n,d,h]":$shown, "T[t,n,d,h]":$kept, "T[d,4 * h,h]":$turned,
         "i32[n]?":$lengths, "T[d,3 * h]?":$peepholes, "T[t,d,n,h]":$ofOut, "T[d,n,h]":$ofLast,
         "T[d,n,h]":$ofCell),
    (outs "T[t,n,d,4,h]":$ofGates, "T[d,n,h]":$ofInitial, "T[d,n,h]":$ofInitialCell),
    (ins Direction:$direction)> {
  let summary = "the gradients of the gates of an Lstm, from the last step to the first";
  let scratch = (ins "T[d,n,h]":$all, "T[d,n,h]":$output, "T[d,n,h]":$held, "T[d,n,4,h]":$parts,
                     "T[d,n,h]":$carried, "i32[n]":$steps, "i32[t + 1]":$ends);
  let compute = [{
    ends[s] = 0;
    steps[b] = if(present(lengths), lengths[b] + ends[lengths[b]], t);
    ofInitial[i,b,j] = ofLast[i,b,j];
    ofInitialCell[i,b,j] = ofCell[i,b,j];
    ofGates[s,b,i,q,j] = 0;
    scan s < t to 0 {
      all[i,b,j] = ofInitial[i,b,j] + ofOut[time,i,b,j];
      output[i,b,j] = all[i,b,j] * factors[time,b,i,1,j];
      held[i,b,j] = ofInitialCell[i,b,j] + all[i,b,j] * shown[time,b,i,j];
      held[i,b,j] = held[i,b,j] + peepholes[i,1 * h + j] * output[i,b,j];
      parts[i,b,q,j] = if(q == 1, output[i,b,j], held[i,b,j] * factors[time,b,i,q,j]);
      ofGates[time,b,i,q,j] = if(alive, parts[i,b,q,j], 0);
      held[i,b,j] = held[i,b,j] * kept[time,b,i,j];
      held[i,b,j] = held[i,b,j] + peepholes[i,0 * h + j] * parts[i,b,0,j];
      held[i,b,j] = held[i,b,j] + peepholes[i,2 * h + j] * parts[i,b,2,j];
      ofInitialCell[i,b,j] = if(alive, held[i,b,j], ofInitialCell[i,b,j]);
      carried[i,b,j] += parts[i,b,q,k] * turned[i,q * h + k,j];
      ofInitial[i,b,j] = if(alive, carried[i,b,j], ofInitial[i,b,j]);
    }
  }];
  let samples = [
    Sample<"forward", (ins "f32[4,2,1,4,3] in -0.5..0.5", "f32[4,2,1,3] in 0..1",
                           "f32[4,2,1,3] in 0..1", "f32[1,12,3] in -0.5..0.5", "", "",
                           "f32[4,1,2,3]", "f32[1,2,3]", "f32[1,2,3]"),
           "direction = \"forward\"">,
    Sample<"peepholes", (ins "f32[4,2,2,4,3] in -0.5..0.5", "f32[4,2,2,3] in 0..1",
                             "f32[4,2,2,3] in 0..1", "f32[2,12,3] in -0.5..0.5",
                             "i32[2] in 0..4", "f32[2,9] in -0.5..0.5", "f32[4,2,2,3]",
                             "f32[2,2,3]", "f32[2,2,3]"), "direction = \"bidirectional\"">,
    Sample<"reverse", (ins "f32[3,2,1,4,20] in -0.5..0.5", "f32[3,2,1,20] in 0..1",
                           "f32[3,2,1,20] in 0..1", "f32[1,80,20] in -0.5..0.5", "",
                           "f32[1,60] in -0.5..0.5", "f32[3,1,2,20]", "f32[1,2,20]",
                           "f32[1,2,20]"), "direction = \"reverse\"">];
}

// The input of a gate, which sees the cell.
def peeping : Let<(ins Tensor:$gate, Tensor:$peepholes, Int:$which, Tensor:$cells), [{
  d = shape(gate)[2];
  h = shape(gate)[3];
  result = if(present(peepholes),
              gate + cells * Broadcast(Reshape(Slice(peepholes, [0, which * h], [1, 1], [d, h]),
                                               [1, 1, d, h]), shape(gate)), gate);
}]>;

def : Gradient<Lstm, [{
  before = StatesBefore(out, initial, lengths, direction);
  sums = productOfStates(before, weights) + Reshape(gates, [t, n, d, 4, h]);
  cells = LstmCells(sums, initialCell, lengths, peepholes, direction, activations, clip, coupled);
  cellsBefore = Transpose(StatesBefore(cells, initialCell, lengths, direction), [0, 2, 1, 3]);
  cellsAfter = Transpose(cells, [0, 2, 1, 3]);
  i = peeping(oneGate(sums, 0), peepholes, 0, cellsBefore);
  o = peeping(oneGate(sums, 1), peepholes, 1, cellsAfter);
  f = peeping(oneGate(sums, 2), peepholes, 2, cellsBefore);
  g = oneGate(sums, 3);
  input = GateValues(i, activations, 0, 3, clip);
  fresh = GateValues(g, activations, 1, 3, clip);
  added = if(coupled, fresh - cellsBefore, fresh);
  byForget = if(coupled, Splat(0.0, shape(f), kind(f)),
                cellsBefore * GateSlopes(f, activations, 0, 3, clip));
  byInput = added * GateSlopes(i, activations, 0, 3, clip);
  byOut = GateValues(cellsAfter, activations, 2, 3, 0.0) * GateSlopes(o, activations, 0, 3, clip);
  byFresh = input * GateSlopes(g, activations, 1, 3, clip);
  factors = Concat([asGates(byInput), asGates(byOut), asGates(byForget), asGates(byFresh)], 3);
  shown = GateValues(o, activations, 0, 3, clip) * GateSlopes(cellsAfter, activations, 2, 3, 0.0);
  kept = if(coupled, 1.0 - input, GateValues(f, activations, 0, 3, clip));
  ofGates, ofInitial, ofInitialCell = LstmBackward(factors, shown, kept,
      Transpose(weights, [0, 2, 1]), lengths, peepholes, d.out, d.last, d.cell, direction);
  d.weights = gradientOfWeights(before, ofGates);
  d.gates = Reshape(ofGates, shape(gates));
  d.initial = ofInitial;
  d.initialCell = ofInitialCell;
  ofPeepholes = Concat([ReduceSum(oneGate(ofGates, 0) * cellsBefore, [0, 1], false),
                        ReduceSum(oneGate(ofGates, 1) * cellsAfter, [0, 1], false),
                        ReduceSum(oneGate(ofGates, 2) * cellsBefore, [0, 1], false)], 1);
  d.peepholes = ofPeepholes;
}]>;

#endif // GLOW_NODES_RECURRENT_GRADIENTS
