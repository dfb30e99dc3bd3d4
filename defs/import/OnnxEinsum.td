//===- OnnxEinsum.td - ONNX's sums by Einstein's notation -----------------===//
// SPDX-License-Identifier: MIT
//
// The operands are multiplied one after the other. Each step is a matrix product
// with a batch index for each index that both factors have and that is still
// needed, summed over the common indices that are not needed any more.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_IMPORT_ONNXEINSUM
#define GLOW_IMPORT_ONNXEINSUM

include "glow/functions/Einsum.td"
include "glow/nodes/MatMul.td"
include "glow/nodes/Reduction.td"
include "glow/nodes/Shape.td"

// The axes of operand i, without those along which it is repeated.
def einsumOperand : Let<(ins Text:$equation, Ints:$ranks, Ints:$sizes, Int:$i),
    "without(einsumAxes(equation, ranks, i), einsumRepeated(equation, ranks, sizes, i))">;
// The axes that the result or an operand after the i-th has.
def einsumLater : Let<(ins Text:$equation, Ints:$ranks, Ints:$sizes, Int:$i), [{
  axes = einsumAxes(equation, ranks, size(ranks));
  for k in range(i + 1, size(ranks)) { axes = [*axes, *einsumOperand(equation, ranks, sizes, k)]; }
}]> { let results = ["axes"]; }

// Operand i without the axes along which it is repeated, as its diagonals, summed over
// the axes that neither the earlier operands (`before`) nor the later ones have; and its
// axes.
def einsumSource : Let<(ins Tensor:$x, Text:$equation, Ints:$ranks, Ints:$sizes, Int:$i,
                        Ints:$before), [{
  repeated = einsumRepeated(equation, ranks, sizes, i);
  given = einsumOperand(equation, ranks, sizes, i);
  all = unique(given);
  axes = common(all, [*einsumLater(equation, ranks, sizes, i), *before]);
  gone = indicesOf(excluding(all, axes), all);
  source = if(size(repeated) > 0, Reshape(x, without(shape(x), repeated)), x);
  single = if(size(all) == size(given), source, Diagonal(source, indicesOf(given, all)));
  y = if(size(gone) == 0, single, ReduceSum(single, gone));
}]> { let results = ["y", "axes"]; }
// The product of x, of axes a, and y, of axes b, summed over the axes that both have and
// that are not among `later`.
def einsumProduct : Let<(ins Tensor:$x, Ints:$a, Tensor:$y, Ints:$b, Ints:$later, Text:$equation),
                        [{
  batch = common(common(a, b), later);
  inner = excluding(common(a, b), later);
  rows = excluding(a, b);
  columns = excluding(b, a);
  left = pick(shape(x), indicesOf([*batch, *inner], a));
  right = pick(shape(y), indicesOf([*batch, *inner], b));
  require(left == right, "sizes {left} and {right} of the same axes of equation {equation} differ");
  many = prod(take(left, size(batch)));
  depth = prod(drop(left, size(batch)));
  tall = pick(shape(x), indicesOf(rows, a));
  wide = pick(shape(y), indicesOf(columns, b));
  product = Reshape(MatMul(Reshape(Transpose(x, indicesOf([*batch, *rows, *inner], a)),
                                   [many, prod(tall), depth]),
                           Reshape(Transpose(y, indicesOf([*batch, *inner, *columns], b)),
                                   [many, depth, prod(wide)])),
                    [*take(left, size(batch)), *tall, *wide]);
  axes = [*batch, *rows, *columns];
}]> { let results = ["product", "axes"]; }
def : OnnxImport<"Einsum", 12, (ins "inputs..."), (ins RequiredText:$equation), [{
  n = count(inputs);
  require(n >= 1, "there are no operands");
  ranks = [rank(input) for input in inputs];
  sizes = [];
  for input in inputs { sizes = [*sizes, *shape(input)]; }
  require(einsumFits(equation, ranks),
          "equation {equation} does not fit operands of ranks {ranks}");
  x, a = einsumSource(inputs[0], equation, ranks, sizes, 0, []);
  for i in range(1, n) {
    y, b = einsumSource(inputs[i], equation, ranks, sizes, i, a);
    x, a = einsumProduct(x, a, y, b, einsumLater(equation, ranks, sizes, i), equation);
  }
  Output = Transpose(x, indicesOf(einsumAxes(equation, ranks, n), a));
}]>;

#endif // GLOW_IMPORT_ONNXEINSUM
