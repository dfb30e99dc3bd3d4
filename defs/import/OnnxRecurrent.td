//===- OnnxRecurrent.td - ONNX operators that remember --------------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_IMPORT_ONNXRECURRENT
#define GLOW_IMPORT_ONNXRECURRENT

include "glow/nodes/MatMul.td"
include "glow/nodes/Recurrent.td"
include "glow/nodes/Shape.td"

// The part of the gates of all steps that depends on the input. The first axis of X is
// the steps or, if `batchFirst`, the batch. `B` is a bias of the input's part, then a
// bias of the state's part. Both are added here, except the last gate's state bias if
// `lastApart`.
def recurrentGates : Let<(ins Tensor:$X, Tensor:$W, Tensor:$R, Tensor:$B, Int:$hiddenSize,
                          Flag:$batchFirst, Flag:$lastApart), [{
  require(rank(X) == 3 && rank(W) == 3 && rank(R) == 3,
          "X, W and R must have 3 dimensions");
  columns = shape(R)[2];
  require(hiddenSize == columns,
          "hidden_size {hiddenSize} contradicts R, which has {columns} columns");
  x = if(batchFirst, Transpose(X, [1, 0, 2]), X);
  rows = shape(x)[0] * shape(x)[1];
  d = shape(W)[0];
  g = shape(W)[1];
  apart = if(lastApart, g / 3, 0);
  product = MatMul(Reshape(x, [rows, shape(x)[2]]),
                   Transpose(Reshape(W, [d * g, shape(W)[2]]), [1, 0]));
  require(!present(B) || rank(B) == 2 && shape(B)[0] == d && shape(B)[1] == 2 * g,
          "B must be of shape {[d, 2 * g]}");
  sum = if(present(B), product + Broadcast(Reshape(Slice(B, [0, 0], [1, 1], [d, g])
      + Pad(Slice(B, [0, g], [1, 1], [d, g - apart]), [0, 0], [0, apart], 0.0), [d * g]),
      [rows, d * g]), product);
  gates = Reshape(sum, [shape(x)[0], shape(x)[1], d * g]);
}]>;
// Moves the batch of states, [directions, batch, columns], to the front or back again;
// and the same for the states of all steps.
def turnedState : Let<(ins Tensor:$x, Flag:$batchFirst),
                      "if(batchFirst && present(x), Transpose(x, [1, 0, 2]), x)">;
def turnedStates : Let<(ins Tensor:$y, Flag:$batchFirst),
                       "if(batchFirst, Transpose(y, [2, 0, 1, 3]), y)">;

class OnnxRecurrent<string operator, dag inputs_, dag attributes_, code body>
    : OnnxImport<operator, 1,
                 !con((ins "X", "W", "R", "B?", "sequence_lens?", "initial_h?"), inputs_),
    !con((ins MaybeReals:$activation_alpha, MaybeReals:$activation_beta, MaybeTexts:$activations,
          "0.0":$clip,
              Words<"forward">:$direction, MaybeInt:$hidden_size, 0:$layout, 0:$output_sequence),
              attributes_), body> {
  let with = (bind "layout != 0":$batchFirst,
              "if(present(hidden_size), hidden_size, at(shape(R), 2))":$size,
                   "Transpose(R, [0, 2, 1])":$weights, "turnedState(initial_h, layout != 0)":$h0);
  let outputs = ["Y?", "Y_h?"];
  let written = (ins "h":$hidden_size);
}

def : OnnxRecurrent<"RNN", (ins), (ins), [{
  gates = recurrentGates(X, W, R, B, size, batchFirst, false);
  names = activationList(activations, activation_alpha, activation_beta, "Tanh", shape(W)[0]);
  y, h = Rnn(weights, gates, h0, sequence_lens, direction, names, clip);
  Y = turnedStates(y, batchFirst);
  Y_h = turnedState(h, batchFirst);
}]>;

// The node keeps the last gate's bias apart.
def : OnnxRecurrent<"GRU", (ins), (ins 0:$linear_before_reset), [{
  gates = recurrentGates(X, W, R, B, size, batchFirst, true);
  names = activationList(activations, activation_alpha, activation_beta, "Sigmoid,Tanh",
                         shape(W)[0]);
  d = shape(W)[0];
  g = shape(W)[1];
  bias = if(present(B), Slice(B, [0, 2 * g - g / 3], [1, 1], [d, g / 3]), B);
  y, h = Gru(weights, gates, h0, sequence_lens, bias, direction, names, clip,
             linear_before_reset != 0);
  Y = turnedStates(y, batchFirst);
  Y_h = turnedState(h, batchFirst);
}]>;

def : OnnxRecurrent<"LSTM", (ins "initial_c?", "P?"), (ins 0:$input_forget), [{
  gates = recurrentGates(X, W, R, B, size, batchFirst, false);
  names = activationList(activations, activation_alpha, activation_beta, "Sigmoid,Tanh,Tanh",
                         shape(W)[0]);
  y, h, c = Lstm(weights, gates, h0, sequence_lens, turnedState(initial_c, batchFirst), P,
                 direction, names, clip,
                 input_forget != 0);
  Y = turnedStates(y, batchFirst);
  Y_h = turnedState(h, batchFirst);
  Y_c = turnedState(c, batchFirst);
}]> {
  let outputs = ["Y?", "Y_h?", "Y_c?"];
}

#endif // GLOW_IMPORT_ONNXRECURRENT
