//===- OnnxEinsum.td - ONNX's sums by Einstein's notation -----------------===//
//
// Each operand in turn is multiplied into what is there: a product of matrices
// for each index that both have and that is still needed, summed over those that
// are not.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_IMPORT_ONNXEINSUM
#define GLOW_IMPORT_ONNXEINSUM

include "glow/nodes/MatMul.td"
include "glow/nodes/Reduction.td"
include "glow/nodes/Shape.td"

// Of the i-th operand, without axes along which it is repeated, the diagonals, then
// the sum over axes that are not in `kept`: `tensor`, and its `axes`. What is not
// there is 1.
class EinsumOperand<string i, string tensor, string axes, string kept> {
  string statements = !subst("I", i, !subst("TENSOR", tensor, !subst("AXES", axes, !subst("KEPT", kept, [{
    repeated = if(n > I, einsumRepeated(equation, ranks, sizes, I), []);
    given = if(n > I, without(einsumAxes(equation, ranks, I), repeated), []);
    all = unique(given);
    AXES = common(all, KEPT);
    gone = indicesOf(excluding(all, AXES), all);
    source = if(n > I, if(size(repeated) > 0, Reshape(inputs[I], without(shape(inputs[I]), repeated)), inputs[I]), Splat(1, [], kind(inputs[0])));
    single = if(size(all) == size(given), source, Diagonal(source, indicesOf(given, all)));
    TENSOR = if(size(gone) == 0, single, ReduceSum(single, gone));
  }]))));
}
// Multiplies the i-th operand into x, whose axes are a. `later` are those that
// the result and the operands behind have.
class EinsumStep<string i, string later> {
  string statements = !strconcat("later = ", later, ";",
      EinsumOperand<i, "y", "b", "concat(later, a)">.statements, !subst("I", i, [{
    batch = common(common(a, b), later);
    inner = excluding(common(a, b), later);
    rows = excluding(a, b);
    columns = excluding(b, a);
    left = pick(shape(x), indicesOf(concat(batch, inner), a));
    right = pick(shape(y), indicesOf(concat(batch, inner), b));
    require(left == right, "sizes {left} and {right} of the same axes of equation {equation} differ");
    many = prod(take(left, size(batch)));
    depth = prod(drop(left, size(batch)));
    tall = pick(shape(x), indicesOf(rows, a));
    wide = pick(shape(y), indicesOf(columns, b));
    x = if(n > I, Reshape(MatMul(Reshape(Transpose(x, indicesOf([*batch, *rows, *inner], a)), [many, prod(tall), depth]),
                                 Reshape(Transpose(y, indicesOf([*batch, *inner, *columns], b)), [many, depth, prod(wide)])),
                          [*take(left, size(batch)), *tall, *wide]), x);
    a = if(n > I, [*batch, *rows, *columns], a);
  }]));
}
def : OnnxImport<"Einsum", 12, (ins "inputs..."), (ins RequiredText:$equation), !strconcat([{
  n = count(inputs);
  require(n >= 1 && n <= 8, "{n} operands are not supported; there may be 1 to 8");
  ranks = [rank(inputs[0]), *if(n > 1, [rank(inputs[1])], []), *if(n > 2, [rank(inputs[2])], []), *if(n > 3, [rank(inputs[3])], []),
           *if(n > 4, [rank(inputs[4])], []), *if(n > 5, [rank(inputs[5])], []), *if(n > 6, [rank(inputs[6])], []), *if(n > 7, [rank(inputs[7])], [])];
  sizes = [*shape(inputs[0]), *if(n > 1, shape(inputs[1]), []), *if(n > 2, shape(inputs[2]), []), *if(n > 3, shape(inputs[3]), []),
           *if(n > 4, shape(inputs[4]), []), *if(n > 5, shape(inputs[5]), []), *if(n > 6, shape(inputs[6]), []), *if(n > 7, shape(inputs[7]), [])];
  require(einsumFits(equation, ranks), "equation {equation} does not fit operands of ranks {ranks}");
  r = einsumAxes(equation, ranks, n);
  e1 = if(n > 1, without(einsumAxes(equation, ranks, 1), einsumRepeated(equation, ranks, sizes, 1)), []);
  e2 = if(n > 2, without(einsumAxes(equation, ranks, 2), einsumRepeated(equation, ranks, sizes, 2)), []);
  e3 = if(n > 3, without(einsumAxes(equation, ranks, 3), einsumRepeated(equation, ranks, sizes, 3)), []);
  e4 = if(n > 4, without(einsumAxes(equation, ranks, 4), einsumRepeated(equation, ranks, sizes, 4)), []);
  e5 = if(n > 5, without(einsumAxes(equation, ranks, 5), einsumRepeated(equation, ranks, sizes, 5)), []);
  e6 = if(n > 6, without(einsumAxes(equation, ranks, 6), einsumRepeated(equation, ranks, sizes, 6)), []);
  e7 = if(n > 7, without(einsumAxes(equation, ranks, 7), einsumRepeated(equation, ranks, sizes, 7)), []);
}], EinsumOperand<"0", "x", "a", "[*r, *e1, *e2, *e3, *e4, *e5, *e6, *e7]">.statements,
    EinsumStep<"1", "[*r, *e2, *e3, *e4, *e5, *e6, *e7]">.statements,
    EinsumStep<"2", "[*r, *e3, *e4, *e5, *e6, *e7]">.statements,
    EinsumStep<"3", "[*r, *e4, *e5, *e6, *e7]">.statements,
    EinsumStep<"4", "[*r, *e5, *e6, *e7]">.statements,
    EinsumStep<"5", "[*r, *e6, *e7]">.statements,
    EinsumStep<"6", "[*r, *e7]">.statements,
    EinsumStep<"7", "r">.statements, [{
  Output = Transpose(x, indicesOf(r, a));
}])>;

#endif // GLOW_IMPORT_ONNXEINSUM
