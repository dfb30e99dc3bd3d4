//===- OnnxRecurrent.td - ONNX operators that remember --------------------===//

#ifndef GLOW_IMPORT_ONNXRECURRENT
#define GLOW_IMPORT_ONNXRECURRENT

include "glow/nodes/MatMul.td"
include "glow/nodes/Recurrent.td"
include "glow/nodes/Shape.td"

// The steps lie first, or with `layout` 1 the batch does. `B` is a bias of what
// the gates have of the input, then one of what they have of the state; `added`
// is the part of the latter that adds to the former. `node` assigns y and h.
class OnnxRecurrent<string operator, dag inputs_, dag attributes_, string activations, string added, string node>
    : OnnxImport<operator, 1, !con((ins "X", "W", "R", "B?", "sequence_lens?", "initial_h?"), inputs_),
    !con((ins MaybeReals:$activation_alpha, MaybeReals:$activation_beta, MaybeTexts:$activations, "0.0":$clip,
              Words<"forward">:$direction, MaybeInt:$hidden_size, 0:$layout, 0:$output_sequence), attributes_),
    !strconcat([{
  require(rank(X) == 3 && rank(W) == 3 && rank(R) == 3,
          "X, W and R must have 3 dimensions");
  columns = shape(R)[2];
  require(!present(hidden_size) || hidden_size == columns,
          "hidden_size {hidden_size} contradicts R, which has {columns} columns");
  batchFirst = layout != 0;
  x = if(batchFirst, Transpose(X, [1, 0, 2]), X);
  rows = shape(x)[0] * shape(x)[1];
  d = shape(W)[0];
  g = shape(W)[1];
  product = MatMul(Reshape(x, [rows, shape(x)[2]]), Transpose(Reshape(W, [d * g, shape(W)[2]]), [1, 0]));
  require(!present(B) || rank(B) == 2 && shape(B)[0] == d && shape(B)[1] == 2 * g, "B must be of shape {[d, 2 * g]}");
  sum = if(present(B), product + Broadcast(Reshape(Slice(B, [0, 0], [1, 1], [d, g]) + }], added, [{, [d * g]), [rows, d * g]), product);
  gates = Reshape(sum, [shape(x)[0], shape(x)[1], d * g]);
  weights = Transpose(R, [0, 2, 1]);
  h0 = if(batchFirst && present(initial_h), Transpose(initial_h, [1, 0, 2]), initial_h);
  names = activationList(activations, activation_alpha, activation_beta, "}], activations, [{", d);
}], node, [{
  Y = if(batchFirst, Transpose(y, [2, 0, 1, 3]), y);
  Y_h = if(batchFirst, Transpose(h, [1, 0, 2]), h);
}])> {
  let outputs = ["Y?", "Y_h?"];
}

defvar WholeBias = "Slice(B, [0, g], [1, 1], [d, g])";
def : OnnxRecurrent<"RNN", (ins), (ins), "Tanh", WholeBias,
                    "y, h = Rnn(weights, gates, h0, sequence_lens, direction, names, clip);">;

// The node keeps the last gate's bias apart.
def : OnnxRecurrent<"GRU", (ins), (ins 0:$linear_before_reset), "Sigmoid,Tanh",
                    "Pad(Slice(B, [0, g], [1, 1], [d, g - g / 3]), [0, 0], [0, g / 3], 0.0)", [{
  bias = if(present(B), Slice(B, [0, 2 * g - g / 3], [1, 1], [d, g / 3]), B);
  y, h = Gru(weights, gates, h0, sequence_lens, bias, direction, names, clip, linear_before_reset != 0);
}]>;

def : OnnxRecurrent<"LSTM", (ins "initial_c?", "P?"), (ins 0:$input_forget), "Sigmoid,Tanh,Tanh", WholeBias, [{
  c0 = if(batchFirst && present(initial_c), Transpose(initial_c, [1, 0, 2]), initial_c);
  y, h, c = Lstm(weights, gates, h0, sequence_lens, c0, P, direction, names, clip, input_forget != 0);
  Y_c = if(batchFirst, Transpose(c, [1, 0, 2]), c);
}]> {
  let outputs = ["Y?", "Y_h?", "Y_c?"];
}

#endif // GLOW_IMPORT_ONNXRECURRENT
