//===- Recurrent.td - Caffe2 operators on sequences -----------------------===//
// SPDX-License-Identifier: MIT
//
// A sequence has its steps along the first axis, and the batch along the second. Units compute
// one step; RecurrentNetwork repeats a net for each.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_IMPORT_CAFFE2_RECURRENT
#define GLOW_IMPORT_CAFFE2_RECURRENT

include "glow/functions/Kinds.td"
include "glow/import/caffe2/MatMul.td"
include "glow/nodes/Activation.td"
include "glow/nodes/Indexing.td"

// Gate `i` of a step; s is the shape of the state.
def unitGate : Let<(ins Tensor:$gates, Int:$i, Ints:$s),
                   "Slice(gates, [0, 0, i * s[2]], [1, 1, 1], s)">;
// The state after a step. Where a sequence has ended before, it is as before, or 0.
def unitState : Let<(ins Tensor:$next, Tensor:$before, Tensor:$lengths, Tensor:$step, Flag:$ends,
                         Flag:$drops), [{
  s = shape(next);
  i = elementKind("i64");
  y = if(ends,
         Select(Broadcast(Less(Broadcast(Reshape(Cast(step, i), [1]), [s[1]]), Cast(lengths, i)), s,
                          axis: 1),
                next, if(drops, Splat(0.0, s, kind(next)), before)),
         next);
}]>;

// The lengths of sequences stand before the number of the step, unless there are none.
class Caffe2Unit<string operator, dag inputs, dag attributes, code body>
    : Caffe2Import<operator, inputs,
                   !con((ins 0:$drop_states, 1:$sequence_lengths), attributes), body> {
  let with = (bind "sequence_lengths != 0":$ends, "drop_states != 0":$drops);
  let kinds = (ins "i32":$rest);
}
def : Caffe2Unit<"LSTMUnit", (ins "hidden", "cell", "gates", "rest..."), (ins "0.0":$forget_bias),
                 [{
  last = if(ends, 1, 0);
  given = count(rest);
  require(given == last + 1, "{given} inputs behind the gates should be {last + 1}");
  s = shape(cell);
  g = shape(gates);
  require(size(s) == 3 && s[0] == 1 && g == [1, s[1], 4 * s[2]],
          "a state of shape {s} does not go with gates of shape {g}");
  input = Sigmoid(unitGate(gates, 0, s));
  forget = Sigmoid(unitGate(gates, 1, s) + forget_bias);
  next = forget * cell + input * Tanh(unitGate(gates, 3, s));
  out = Sigmoid(unitGate(gates, 2, s)) * Tanh(next);
  H = unitState(out, hidden, rest[0], rest[last], ends, drops);
  C = unitState(next, cell, rest[0], rest[last], ends, drops);
}]> { let outputs = ["H", "C"]; }
// The first gate is in the net, where it multiplies the state that the third one is made of.
def : Caffe2Unit<"GRUUnit", (ins "hidden", "gates", "rest..."), (ins), [{
  last = if(ends, 1, 0);
  given = count(rest);
  require(given == last + 1, "{given} inputs behind the gates should be {last + 1}");
  s = shape(hidden);
  g = shape(gates);
  require(size(s) == 3 && s[0] == 1 && g == [1, s[1], 3 * s[2]],
          "a state of shape {s} does not go with gates of shape {g}");
  update = Sigmoid(unitGate(gates, 1, s));
  next = hidden * update + Tanh(unitGate(gates, 2, s)) * (1.0 - update);
  H = unitState(next, hidden, rest[0], rest[last], ends, drops);
}]>;

// Each sequence of the batch backwards, up to its end.
def : Caffe2Import<"ReversePackedSegs", (ins "data", "lengths"), (ins), [{
  r = rank(data);
  require(r >= 2, "the data must be steps of batches");
  turned = Transpose(data, [1, 0, *range(2, r)]);
  Y = Transpose(ReverseSequence(turned, lengths), [1, 0, *range(2, r)]);
}]> { let kinds = (ins "f32":$data, "i32":$lengths); }

// Another number behind the end of each row, or on one side of the diagonal of a matrix.
def : Caffe2Import<"SequenceMask", (ins "input", "lengths?"),
    (ins 1:$axis, MaybeInt:$batch, "-1e9":$fill_val, 0:$grad,
     Words<"sequence", ["sequence", "upper", "lower", "upperdiag", "lowerdiag"]>:$mode,
     MaybeInt:$repeat_from_axis), [{
  require(batch == 0 && repeat_from_axis == 0, "batch and repeat_from_axis are not supported");
  require(mode != "sequence" || present(lengths), "input 'lengths' is missing");
  x = flattened(input, axis);
  s = shape(x);
  i = elementKind("i64");
  column = Iota(0.0, 1.0, 1, s, i);
  row = if(mode == "sequence", Broadcast(Cast(lengths, i), s, axis: 0), Iota(0.0, 1.0, 0, s, i));
  keeps = if(mode == "sequence", Less(column, row),
             if(mode == "upper", LessEqual(column, row),
                if(mode == "lower", GreaterEqual(column, row),
                   if(mode == "upperdiag", Less(column, row), Greater(column, row)))));
  Y = Reshape(Select(keeps, x, Splat(fill_val, s, kind(x))), shape(input));
}]> { let kinds = (ins "f32":$input, "i32":$lengths); }

#endif // GLOW_IMPORT_CAFFE2_RECURRENT
