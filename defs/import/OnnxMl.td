//===- OnnxMl.td - ONNX's operators of classical models -------------------===//
// SPDX-License-Identifier: MIT
//
// Operators on numbers only. For labels that are texts, the importer gives a classifier their
// indices, and converts its result to texts (lib/compiler/Importer/model/Labels.h). Operators that
// run on the host handle texts themselves (OnnxString.td).
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_IMPORT_ONNXML
#define GLOW_IMPORT_ONNXML

include "glow/functions/Trees.td"
include "glow/nodes/Activation.td"
include "glow/nodes/Indexing.td"
include "glow/nodes/MatMul.td"
include "glow/nodes/Normalization.td"
include "glow/nodes/Reduction.td"
include "glow/nodes/Shape.td"


class OnnxMl<string operator, dag inputs, dag attributes, code body>
    : OnnxImport<operator, 1, inputs, attributes, body> {
  let domain = "ai.onnx.ml";
}

//===----------------------------------------------------------------------===//
// Features
//===----------------------------------------------------------------------===//

def : OnnxMl<"ArrayFeatureExtractor", (ins "X", "Y"), (ins), [{
  picked = Gather(X, Reshape(Y, [elements(Y)]), rank(X) - 1);
  Z = if(rank(X) == 1, Reshape(picked, [1, elements(Y)]), picked);
}]> {
  let movesElements = 1;
}
def : OnnxMl<"Binarizer", (ins "X"), (ins "0.0":$threshold), "Y = Cast(X > threshold, kind(X));">;
def : OnnxMl<"FeatureVectorizer", (ins "X..."), (ins MaybeInts:$inputdimensions), [{
  flat = rank(X[0]) == 1;
  given = count(X);
  joined = if(flat, Concat(X, 0), Concat(X, 1));
  n = elements(joined) / max(if(flat, 1, shape(joined)[0]), 1);
  require(size(inputdimensions) == 0 || size(inputdimensions) == given && sum(inputdimensions) == n,
          "inputdimensions {inputdimensions} must be those of {given} inputs of {n} columns");
  Y = Cast(Reshape(joined, [if(flat, 1, shape(joined)[0]), n]), elementKind("f32"));
}]>;
def : OnnxMl<"Scaler", (ins "X"), (ins MaybeReals:$offset, MaybeReals:$scale), [{
  k = elementKind("f32");
  n = at(shape(X), rank(X) - 1);
  require((length(offset) == 1 || length(offset) == n)
          && (length(scale) == 1 || length(scale) == n),
          "offset {offset} and scale {scale} must be 1 or {n} numbers");
  moved = Cast(X, k) - Broadcast(RealLiteral(offset, [length(offset)], k), shape(X));
  Y = moved * Broadcast(RealLiteral(scale, [length(scale)], k), shape(X));
}]>;
def : OnnxMl<"Normalizer", (ins "X"), (ins Words<"MAX">:$norm), [{
  require(norm == "MAX" || norm == "L1" || norm == "L2", "norm {norm} must be MAX, L1 or L2");
  x = Cast(X, elementKind("f32"));
  a = [rank(X) - 1];
  size2 = if(norm == "MAX", ReduceMax(x, a, true),
             if(norm == "L1", ReduceSum(Abs(x), a, true), Sqrt(ReduceSum(x * x, a, true))));
  zero = Splat(0, shape(size2), kind(x));
  Y = x / Broadcast(Select(Equal(size2, zero), Splat(1, shape(size2), kind(x)), size2), shape(X));
}]>;
// A missing element has the value to replace; NaN is not equal to itself.
def : OnnxMl<"Imputer", (ins "X"),
    (ins MaybeReals:$imputed_value_floats, MaybeInts:$imputed_value_int64s,
     "0.0":$replaced_value_float, 0:$replaced_value_int64), [{
  isReal = isFloat(kind(X));
  n = at(shape(X), rank(X) - 1);
  given = if(isReal, length(imputed_value_floats), size(imputed_value_int64s));
  require(given == 1 || given == n, "{given} imputed values must be 1 or {n}");
  value = if(isReal, RealLiteral(imputed_value_floats, [given], kind(X)),
             Literal(imputed_value_int64s, [given], kind(X)));
  old = if(isReal, Splat(replaced_value_float, shape(X), kind(X)),
           Broadcast(Literal([replaced_value_int64], [1], kind(X)), shape(X)));
  missing = if(isReal && isNan(replaced_value_float), IsNan(X), Equal(X, old));
  Y = Select(missing, Broadcast(value, shape(X)), X);
}]>;
def : OnnxMl<"OneHotEncoder", (ins "X"),
             (ins MaybeInts:$cats_int64s, MaybeTexts:$cats_strings, 1:$zeros), [{
  require(!present(cats_strings), "categories that are texts are found on the host");
  require(zeros != 0,
          "zeros {zeros}, by which an unknown category is an error, is for the host to look at");
  all = [*shape(X), size(cats_int64s)];
  k = elementKind("i64");
  x = Broadcast(Reshape(Cast(X, k), [*shape(X), 1]), all);
  Y = Cast(Equal(x, Broadcast(Literal(cats_int64s, [size(cats_int64s)], k), all)),
           elementKind("f32"));
}]>;

//===----------------------------------------------------------------------===//
// From scores to results
//===----------------------------------------------------------------------===//

// The inverse of the normal distribution by Winitzki's formula with 0.147, as ONNX
// Runtime has it, which is off by less than 0.01; its constant is 2 / (0.147 pi).
def probit : Let<(ins Tensor:$x), [{
  sides = 2.0 * x - 1.0;
  tails = Log(1.0 - sides * sides);
  middle = 4.330746750799873 + 0.5 * tails;
  quantile = Sign(sides) * Sqrt(2.0 * (Sqrt(middle * middle - tails / 0.147) - middle));
}]>;
// Scores of 0 do not count.
def softmaxZero : Let<(ins Tensor:$x), [{
  highest = ReduceMax(x, [1], true);
  power = Exp(x - Broadcast(highest, shape(x)));
  counted = Select(Abs(x) > 1e-7, power, Splat(0, shape(x), kind(x)));
  apart = Select(Abs(x) > 1e-7, power, x * Broadcast(Exp(-highest), shape(x)));
  y = apart / Broadcast(ReduceSum(counted, [1], true), shape(x));
}]>;
// Applies `post_transform` to the scores x, [rows, classes].
def postTransform : Let<(ins Tensor:$x, Text:$post_transform), [{
  require(post_transform == "NONE" || post_transform == "LOGISTIC" || post_transform == "SOFTMAX"
          || post_transform == "SOFTMAX_ZERO" ||
          post_transform == "PROBIT",
          "post_transform {post_transform} must be NONE, LOGISTIC, SOFTMAX, SOFTMAX_ZERO or PROBIT");
  result = if(post_transform == "PROBIT", probit(x), if(post_transform == "LOGISTIC", Sigmoid(x),
           if(post_transform == "SOFTMAX", Softmax(x, 1),
              if(post_transform == "SOFTMAX_ZERO", softmaxZero(x), x))));
}]>;
// The labels Y and scores Z of `sums`, [rows, classes]. If `binary`, `sums` are scores of
// the second of two classes, [rows, 1], which is chosen above `edge`. The score of the
// first class is then 1 minus that of the second for PROBIT, or if `shares` except for
// LOGISTIC; else its negative. For two scores from one, only LOGISTIC and PROBIT are
// applied.
def classified : Let<(ins Tensor:$sums, Ints:$classlabels_int64s, Flag:$binary, Real:$edge,
                      Flag:$shares, Text:$post_transform), [{
  labels = Literal(classlabels_int64s, [size(classlabels_int64s)], elementKind("i64"));
  which = if(binary, Cast(Reshape(sums > edge, [shape(sums)[0]]), elementKind("i64")),
             ArgMax(sums, 1, false, false));
  Y = Gather(labels, which, 0);
  first = if(post_transform == "PROBIT" || shares && post_transform != "LOGISTIC", 1.0 - sums,
             -sums);
  both = if(binary, Concat([first, sums], 1), sums);
  after = postTransform(both, post_transform);
  Z = if(binary && post_transform != "LOGISTIC" && post_transform != "PROBIT", both, after);
}]> { let results = ["Y", "Z"]; }

//===----------------------------------------------------------------------===//
// Sums of features
//===----------------------------------------------------------------------===//

def : OnnxMl<"LinearRegressor", (ins "X"),
    (ins MaybeReals:$coefficients, MaybeReals:$intercepts, Words<"NONE">:$post_transform,
     1:$targets), [{
  k = elementKind("f32");
  n = at(shape(X), rank(X) - 1);
  require(rank(X) == 2 && targets >= 1 && length(coefficients) == n * targets,
          "{length(coefficients)} coefficients are not {targets} for each of {n} columns");
  require(length(intercepts) == 0 || length(intercepts) == targets,
          "{length(intercepts)} intercepts are not one for each of {targets} targets");
  product = MatMul(Cast(X, k), Transpose(RealLiteral(coefficients, [targets, n], k), [1, 0]));
  sums = if(length(intercepts) == targets,
            product + Broadcast(RealLiteral(intercepts, [targets], k), shape(product)), product);
  Y = postTransform(sums, post_transform);
}]>;
def : OnnxMl<"LinearClassifier", (ins "X"),
    (ins MaybeInts:$classlabels_ints, MaybeTexts:$classlabels_strings, MaybeReals:$coefficients,
     MaybeReals:$intercepts,
         0:$multi_class, Words<"NONE">:$post_transform), [{
  k = elementKind("f32");
  n = at(shape(X), rank(X) - 1);
  classes = length(coefficients) / max(n, 1);
  require(rank(X) == 2 && classes >= 1 && classes * n == length(coefficients),
          "{length(coefficients)} coefficients are not some for each of {n} columns");
  binary = classes == 1 && size(classlabels_ints) == 2;
  require((binary || size(classlabels_ints) == classes)
          && (length(intercepts) == 0 || length(intercepts) == classes),
          "{size(classlabels_ints)} labels and {length(intercepts)} intercepts are not those of {classes} classes");
  product = MatMul(Cast(X, k), Transpose(RealLiteral(coefficients, [classes, n], k), [1, 0]));
  sums = if(length(intercepts) == classes,
            product + Broadcast(RealLiteral(intercepts, [classes], k), shape(product)), product);
  Y, Z = classified(sums, classlabels_ints, binary, 0.0, true, post_transform);
}]> {
  let outputs = ["Y", "Z?"];
}

def : OnnxMl<"SVMRegressor", (ins "X"),
    (ins MaybeReals:$coefficients, MaybeReals:$kernel_params, Words<"LINEAR">:$kernel_type,
     0:$n_supports, 0:$one_class,
         Words<"NONE">:$post_transform, MaybeReals:$rho, MaybeReals:$support_vectors), [{
  require(kernel_type == "LINEAR" || kernel_type == "POLY" || kernel_type == "RBF"
          || kernel_type == "SIGMOID",
          "kernel_type {kernel_type} must be LINEAR, POLY, RBF or SIGMOID");
  k = elementKind("f32");
  x = Cast(X, k);
  n = at(shape(X), rank(X) - 1);
  linear = n_supports == 0;
  m = if(linear, 1, n_supports);
  require(rank(X) == 2 && m >= 1 && length(if(linear, coefficients, support_vectors)) == m * n
          && length(rho) == 1,
          "there must be {m} vectors of {n} numbers, and one of rho");
  require(linear || length(coefficients) == m,
          "{length(coefficients)} coefficients are not one for each of {m} vectors");
  vectors = Transpose(RealLiteral(if(linear, coefficients, support_vectors), [m, n], k), [1, 0]);
  dot = MatMul(x, vectors);
  gamma = kernel_params[0];
  all = shape(dot);
  away = Broadcast(ReduceSum(x * x, [1], true),
                   all) + Broadcast(ReduceSum(vectors * vectors, [0], true), all) - 2.0 * dot;
  near = if(kernel_type == "LINEAR" || linear, dot, if(kernel_type == "RBF", Exp(-gamma * away),
         if(kernel_type == "SIGMOID", Tanh(gamma * dot + kernel_params[1]),
            Pow(gamma * dot + kernel_params[1], Splat(kernel_params[2], all, k)))));
  total = if(linear, near, MatMul(near, RealLiteral(coefficients, [m, 1], k)));
  sums = total + rho[0];
  sides = Select(sums > 0.0, Splat(1, shape(sums), k), Splat(-1.0, shape(sums), k));
  Y = postTransform(if(one_class != 0, sides, sums), post_transform);
}]>;

//===----------------------------------------------------------------------===//
// Trees
//===----------------------------------------------------------------------===//

// Checks trees with `modes`, `features` and the indices of nodes in whenTrue and
// whenFalse: every branch leads to a node, and no branches form a cycle. Gives `roots`.
def checkedRoots : Let<(ins Ints:$trees, Ints:$modes, Ints:$features, Int:$columns, Ints:$whenTrue,
                        Ints:$whenFalse), [{
  branching = (modes + 7) / 8;
  require(allAtLeast(whenTrue * branching, 0) && allAtLeast(whenFalse * branching, 0),
          "a branch leads to a node that is not there");
  require(allAtLeast(features * branching, 0) && allBelow(features * branching, max(columns, 1)),
          "a node asks for a feature that is not among {columns}");
  roots = treeRoots(trees, modes, whenTrue, whenFalse);
  require(at(roots, 0) >= 0, "node {-1 - at(roots, 0)} of its list leads back to itself");
}]> { let results = ["roots"]; }

// The leaf of each tree that each row of X leads to, [rows, trees], the roots, and the
// kind that is computed with.
def treeLeaves : Let<(ins Tensor:$X, Tensor:$nodes_values_as_tensor, Reals:$nodes_values,
                      Text:$nodes_modes, Ints:$nodes_treeids,
                          Ints:$nodes_nodeids, Ints:$nodes_featureids, Ints:$nodes_truenodeids,
                          Ints:$nodes_falsenodeids,
                          Ints:$nodes_missing), [{
  require(rank(X) == 2, "X must have 2 dimensions");
  bounds = if(present(nodes_values_as_tensor), reals(nodes_values_as_tensor), nodes_values);
  boundKind = if(present(nodes_values_as_tensor), kind(nodes_values_as_tensor), elementKind("f32"));
  k = if(kind(X) == elementKind("f64") || boundKind == elementKind("f64"), elementKind("f64"),
         elementKind("f32"));
  i = elementKind("i64");
  m = size(nodes_nodeids);
  modes = wordIndices(nodes_modes,
                      "LEAF,BRANCH_LEQ,BRANCH_LT,BRANCH_GTE,BRANCH_GT,BRANCH_EQ,BRANCH_NEQ");
  require(size(modes) == m && allAtLeast(modes, 0),
          "nodes_modes must be a known word for each of {m} nodes");
  missing = listOr(nodes_missing, nodes_nodeids * 0);
  require(size(nodes_treeids) == m && size(nodes_featureids) == m && length(bounds) == m
          && size(nodes_truenodeids) == m && size(nodes_falsenodeids) == m &&
          size(missing) == m,
          "there must be as many trees, features, values and branches as the {m} nodes");
  whenTrue = placesOf(nodes_treeids, nodes_nodeids, nodes_treeids, nodes_truenodeids);
  whenFalse = placesOf(nodes_treeids, nodes_nodeids, nodes_treeids, nodes_falsenodeids);
  roots = checkedRoots(nodes_treeids, modes, nodes_featureids, at(shape(X), 1), whenTrue,
                       whenFalse);
  leaves = TreeLeaves(Cast(X, k), Literal(nodes_featureids, [m], i), RealLiteral(bounds, [m], k),
                      Literal(modes, [m], i),
                      Literal(whenTrue, [m], i), Literal(whenFalse, [m], i),
                      Literal(missing, [m], i), Literal(roots, [size(roots)], i));
}]> { let results = ["leaves", "roots", "k"]; }
// The weights of leaves, [rows, trees, n], of `targets` with `weights` at the nodes of
// `trees` and `nodes`.
def leafWeights : Let<(ins Tensor:$leaves, Kind:$k, Ints:$nodes_treeids, Ints:$nodes_nodeids,
                       Ints:$trees, Ints:$nodes, Ints:$targets,
                           Reals:$weights, Int:$n), [{
  i = elementKind("i64");
  held = placesOf(nodes_treeids, nodes_nodeids, trees, nodes);
  w = length(weights);
  require(n >= 1 && size(targets) == w && size(held) == w && allAtLeast(held,
      0) && allAtLeast(targets, 0) && allBelow(targets, n),
          "there must be a known node and one of {n} targets for each of {w} weights");
  table = ScatterND(Splat(0, [size(nodes_nodeids), n], k),
                    Literal(zipped(held, targets), [w, 2], i), RealLiteral(weights, [w], k), "add");
  each = Gather(table, leaves, 0);
}]>;
defvar TreeAttributes =
    (ins MaybeReals:$base_values, MaybeTensor:$base_values_as_tensor, MaybeInts:$nodes_falsenodeids,
     MaybeInts:$nodes_featureids,
         MaybeReals:$nodes_hitrates, MaybeTensor:$nodes_hitrates_as_tensor,
         MaybeInts:$nodes_missing_value_tracks_true,
         MaybeTexts:$nodes_modes, MaybeInts:$nodes_nodeids, MaybeInts:$nodes_treeids,
         MaybeInts:$nodes_truenodeids,
         MaybeReals:$nodes_values, MaybeTensor:$nodes_values_as_tensor,
         Words<"NONE">:$post_transform);
// With `bases`, what a sum begins with, of as many numbers as there are targets or of
// none, and `lookup`, which gives the leaves, the roots and the kind.
class OnnxTrees<string operator, dag attributes, code body>
    : OnnxMl<operator, (ins "X"), !con(TreeAttributes, attributes), body> {
  let with = (bind [{if(present(base_values_as_tensor), reals(base_values_as_tensor),
                     base_values)}]:$bases,
      [{ treeLeaves(X, nodes_values_as_tensor, nodes_values, nodes_modes, nodes_treeids,
                    nodes_nodeids, nodes_featureids,
                    nodes_truenodeids, nodes_falsenodeids,
                    nodes_missing_value_tracks_true) }]:$lookup);
}

def : OnnxTrees<"TreeEnsembleRegressor",
    (ins Words<"SUM">:$aggregate_function, RequiredInt:$n_targets, MaybeInts:$target_ids,
         MaybeInts:$target_nodeids, MaybeInts:$target_treeids, MaybeReals:$target_weights,
         MaybeTensor:$target_weights_as_tensor), [{
  base = bases;
  require(aggregate_function == "SUM" || aggregate_function == "AVERAGE"
          || aggregate_function == "MIN" || aggregate_function == "MAX",
          "aggregate_function {aggregate_function} must be SUM, AVERAGE, MIN or MAX");
  n = n_targets;
  require(n == 1 || aggregate_function == "SUM" || aggregate_function == "AVERAGE",
          "aggregate_function {aggregate_function} of {n} targets is not supported");
  require(length(base) == 0 || length(base) == n,
          "{length(base)} base_values are not one for each of {n} targets");
  weights = if(present(target_weights_as_tensor), reals(target_weights_as_tensor), target_weights);
  leaves, roots, k = lookup;
  each = leafWeights(leaves, k, nodes_treeids, nodes_nodeids, target_treeids, target_nodeids,
                     target_ids, weights, n);
  total = ReduceSum(each, [1]);
  whole = if(aggregate_function == "SUM", total,
             if(aggregate_function == "AVERAGE", total / real(max(size(roots), 1)),
          if(aggregate_function == "MIN", ReduceMin(each, [1]), ReduceMax(each, [1]))));
  based = if(length(base) == n, whole + Broadcast(RealLiteral(base, [n], k), shape(whole)), whole);
  Y = postTransform(Cast(based, elementKind("f32")), post_transform);
}]>;

// Where all weights are of one of two classes, they are of the second.
def : OnnxTrees<"TreeEnsembleClassifier",
    (ins MaybeInts:$class_ids, MaybeInts:$class_nodeids, MaybeInts:$class_treeids,
         MaybeReals:$class_weights, MaybeTensor:$class_weights_as_tensor,
         MaybeInts:$classlabels_int64s,
         MaybeTexts:$classlabels_strings), [{
  base = bases;
  only = at(class_ids, 0);
  binary = size(classlabels_int64s) == 2 && size(class_ids) > 0 && allAtLeast(class_ids,
      only) && allBelow(class_ids, only + 1);
  require(!binary || only == 0 || only == 1, "class {only} is none of two");
  n = if(binary, 1, size(classlabels_int64s));
  targets = if(binary, class_ids * 0, class_ids);
  begin = if(binary && length(base) == 2, pickReals(base, [1]), base);
  require(length(begin) == 0 || length(begin) == n,
          "{length(base)} base_values are not one for each of {size(classlabels_int64s)} classes");
  weights = if(present(class_weights_as_tensor), reals(class_weights_as_tensor), class_weights);
  leaves, roots, k = lookup;
  total = ReduceSum(leafWeights(leaves, k, nodes_treeids, nodes_nodeids, class_treeids,
                                class_nodeids, targets, weights, n), [1]);
  sums = Cast(if(length(begin) == n, total + Broadcast(RealLiteral(begin, [n], k), shape(total)),
                 total), elementKind("f32"));
  shares = least(weights) >= 0.0;
  Y, Z = classified(sums, classlabels_int64s, binary, if(shares, 0.5, 0.0), shares, post_transform);
}]> {
  let outputs = ["Y", "Z?"];
}

// Leaves are in lists of their own; here they follow the nodes, as leaves do.
def : OnnxImport<"TreeEnsemble", 5, (ins "X"),
    (ins 1:$aggregate_function, RequiredInts:$leaf_targetids, RequiredTensor:$leaf_weights,
     MaybeTensor:$membership_values,
         RequiredInt:$n_targets, RequiredInts:$nodes_falseleafs, RequiredInts:$nodes_falsenodeids,
         RequiredInts:$nodes_featureids, MaybeTensor:$nodes_hitrates,
         MaybeInts:$nodes_missing_value_tracks_true,
         RequiredTensor:$nodes_modes, RequiredTensor:$nodes_splits, RequiredInts:$nodes_trueleafs,
         RequiredInts:$nodes_truenodeids, 0:$post_transform, RequiredInts:$tree_roots), [{
  require(rank(X) == 2, "X must have 2 dimensions");
  require(post_transform >= 0 && post_transform <= 4,
          "post_transform {post_transform} must be 0 to 4");
  require(aggregate_function >= 0 && aggregate_function <= 3,
          "aggregate_function {aggregate_function} must be 0 to 3");
  k = if(kind(X) == elementKind("f64"), kind(X), elementKind("f32"));
  i = elementKind("i64");
  n = n_targets;
  m = size(nodes_featureids);
  w = size(leaf_targetids);
  given = ints(nodes_modes);
  require(size(given) == m && allAtLeast(given, 0) && allBelow(given, 7),
          "nodes_modes must be 0 to 6 for each of {m} nodes");
  members = if(present(membership_values), reals(membership_values), repeatReal(0.0, 0));
  begins = setPlaces(given, members);
  require(allAtLeast(begins, 0),
          "membership_values must have a set, ended by NaN, for each node of mode 6");
  ends = leaf_targetids * 0;
  whenTrue = [*(nodes_truenodeids + nodes_trueleafs * m), *ends];
  whenFalse = [*(nodes_falsenodeids + nodes_falseleafs * m), *ends];
  require(size(whenTrue) == m + w && size(whenFalse) == m + w && elements(nodes_splits) == m
          && elements(leaf_weights) == w,
          "there must be as many splits and branches as the {m} nodes, and as many weights as the {w} leaves");
  require(allAtLeast([*whenTrue, *whenFalse], 0) && allBelow([*whenTrue, *whenFalse],
      m + w) && allAtLeast(tree_roots, 0) && allBelow(tree_roots, m),
          "branches and roots must lead to one of {m} nodes or {w} leaves");
  require(n >= 1 && allAtLeast(leaf_targetids, 0) && allBelow(leaf_targetids, n),
          "leaf_targetids must be below {n}");
  missing = [*listOr(nodes_missing_value_tracks_true, nodes_featureids * 0), *ends];
  require(size(missing) == m + w,
          "nodes_missing_value_tracks_true must be a number for each of {m} nodes");
  features = [*nodes_featureids, *ends];
  modes = [*(given + 1), *ends];
  roots = checkedRoots(modes * 0, modes, features, at(shape(X), 1), whenTrue, whenFalse);
  splits = [*reals(nodes_splits), *repeatReal(0.0, w)];
  leaves = TreeLeaves(Cast(X, k), Literal(features, [m + w], i), RealLiteral(splits, [m + w], k),
                      Literal(modes, [m + w], i),
                      Literal(whenTrue, [m + w], i), Literal(whenFalse, [m + w], i),
                      Literal(missing, [m + w], i),
                      Literal(tree_roots, [size(tree_roots)], i),
                      if(present(membership_values),
                         Cast(Reshape(membership_values, [length(members)]), k), membership_values),
                      if(present(membership_values), Literal([*begins, *ends], [m + w], i),
                         membership_values));
  table = ScatterND(Splat(0, [m + w, n], k),
                    Concat([Iota(real(m), 1.0, 0, [w, 1], i), Literal(leaf_targetids, [w, 1], i)],
                           1), Cast(leaf_weights, k), "add");
  each = Gather(table, leaves, 0);
  total = ReduceSum(each, [1]);
  sums = if(aggregate_function == 1, total,
            if(aggregate_function == 0, total / real(max(size(tree_roots), 1)),
         if(aggregate_function == 2, ReduceMin(each, [1]), ReduceMax(each, [1]))));
  after = if(post_transform == 0, "NONE",
             if(post_transform == 1, "SOFTMAX",
                if(post_transform == 2, "LOGISTIC",
                   if(post_transform == 3, "SOFTMAX_ZERO", "PROBIT"))));
  Y = postTransform(sums, after);
}]> {
  let domain = "ai.onnx.ml";
}

#endif // GLOW_IMPORT_ONNXML
