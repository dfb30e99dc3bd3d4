//===- OnnxMl.td - ONNX's operators of classical models -------------------===//
//
// Numbers only: the importer gives a classifier the places of labels that are texts,
// and makes texts of them after it (lib/Importer/Labels.h); those of operators that run
// on the host are theirs (OnnxString.td).
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_IMPORT_ONNXML
#define GLOW_IMPORT_ONNXML

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
  require(count(X) >= 1 && rank(X[0]) == 2, "its inputs must be matrices");
  Y = Cast(Concat(X, 1), elementKind("f32"));
}]>;
def : OnnxMl<"Scaler", (ins "X"), (ins MaybeReals:$offset, MaybeReals:$scale), [{
  k = elementKind("f32");
  n = at(shape(X), rank(X) - 1);
  require((length(offset) == 1 || length(offset) == n) && (length(scale) == 1 || length(scale) == n),
          "offset {offset} and scale {scale} must be 1 or {n} numbers");
  moved = Cast(X, k) - Broadcast(RealLiteral(offset, [length(offset)], k), shape(X));
  Y = moved * Broadcast(RealLiteral(scale, [length(scale)], k), shape(X));
}]>;
def : OnnxMl<"Normalizer", (ins "X"), (ins Words<"MAX">:$norm), [{
  require(norm == "MAX" || norm == "L1" || norm == "L2", "norm {norm} must be MAX, L1 or L2");
  x = Cast(X, elementKind("f32"));
  a = [rank(X) - 1];
  size2 = if(norm == "MAX", ReduceMax(x, a, true), if(norm == "L1", ReduceSum(Abs(x), a, true), Sqrt(ReduceSum(x * x, a, true))));
  zero = Splat(0, shape(size2), kind(x));
  Y = x / Broadcast(Select(Equal(size2, zero), Splat(1, shape(size2), kind(x)), size2), shape(X));
}]>;
// What is missing is the number to replace; NaN is not equal to itself.
def : OnnxMl<"Imputer", (ins "X"),
    (ins MaybeReals:$imputed_value_floats, MaybeInts:$imputed_value_int64s, "0.0":$replaced_value_float, 0:$replaced_value_int64), [{
  isReal = isFloat(kind(X));
  n = at(shape(X), rank(X) - 1);
  given = if(isReal, length(imputed_value_floats), size(imputed_value_int64s));
  require(given == 1 || given == n, "{given} imputed values must be 1 or {n}");
  value = if(isReal, RealLiteral(imputed_value_floats, [given], kind(X)), Literal(imputed_value_int64s, [given], kind(X)));
  old = if(isReal, Splat(replaced_value_float, shape(X), kind(X)), Broadcast(Literal([replaced_value_int64], [1], kind(X)), shape(X)));
  missing = if(isReal && isNan(replaced_value_float), IsNan(X), Equal(X, old));
  Y = Select(missing, Broadcast(value, shape(X)), X);
}]>;
def : OnnxMl<"OneHotEncoder", (ins "X"), (ins MaybeInts:$cats_int64s, MaybeTexts:$cats_strings, 1:$zeros), [{
  require(!present(cats_strings), "categories that are texts are not supported");
  require(zeros != 0, "zeros {zeros}, by which an unknown category is an error, is not supported");
  all = [*shape(X), size(cats_int64s)];
  k = elementKind("i64");
  x = Broadcast(Reshape(Cast(X, k), [*shape(X), 1]), all);
  Y = Cast(Equal(x, Broadcast(Literal(cats_int64s, [size(cats_int64s)], k), all)), elementKind("f32"));
}]>;

//===----------------------------------------------------------------------===//
// From scores to results
//===----------------------------------------------------------------------===//

// `result` of the scores x, [rows, classes]. PROBIT is the inverse of the normal
// distribution by Winitzki's formula with 0.147, as ONNX Runtime has it, which is
// off by less than 0.01; its constant is 2 / (0.147 pi).
class PostTransform<string x, string result> {
  string statements = !subst("TENSOR", x, !subst("RESULT", result, [{
    require(post_transform == "NONE" || post_transform == "LOGISTIC" || post_transform == "SOFTMAX" || post_transform == "SOFTMAX_ZERO" ||
            post_transform == "PROBIT", "post_transform {post_transform} must be NONE, LOGISTIC, SOFTMAX, SOFTMAX_ZERO or PROBIT");
    highest = ReduceMax(TENSOR, [1], true);
    power = Exp(TENSOR - Broadcast(highest, shape(TENSOR)));
    counted = Select(Abs(TENSOR) > 1e-7, power, Splat(0, shape(TENSOR), kind(TENSOR)));
    apart = Select(Abs(TENSOR) > 1e-7, power, TENSOR * Broadcast(Exp(-highest), shape(TENSOR)));
    sides = 2.0 * TENSOR - 1.0;
    tails = Log(1.0 - sides * sides);
    middle = 4.330746750799873 + 0.5 * tails;
    quantile = Sign(sides) * Sqrt(2.0 * (Sqrt(middle * middle - tails / 0.147) - middle));
    RESULT = if(post_transform == "PROBIT", quantile, if(post_transform == "LOGISTIC", Sigmoid(TENSOR), if(post_transform == "SOFTMAX", Softmax(TENSOR, 1),
             if(post_transform == "SOFTMAX_ZERO", apart / Broadcast(ReduceSum(counted, [1], true), shape(TENSOR)), TENSOR))));
  }]));
}
// The labels Y and scores Z of `sums`, [rows, classes], or, if `binary`, of sums of
// the second of two classes, [rows, 1], which is taken above `edge`; the first
// then has the rest to 1 if `shares` or for PROBIT, else what is as far on the other
// side; of two numbers from one, only LOGISTIC and PROBIT make others.
defvar Classified = !strconcat([{
  labels = Literal(classlabels_int64s, [size(classlabels_int64s)], elementKind("i64"));
  which = if(binary, Cast(Reshape(sums > edge, [shape(sums)[0]]), elementKind("i64")), ArgMax(sums, 1, false, false));
  Y = Gather(labels, which, 0);
  first = if(post_transform == "PROBIT" || shares && post_transform != "LOGISTIC", 1.0 - sums, -sums);
  both = if(binary, Concat([first, sums], 1), sums);
}], PostTransform<"both", "after">.statements, [{
  Z = if(binary && post_transform != "LOGISTIC" && post_transform != "PROBIT", both, after);
}]);

//===----------------------------------------------------------------------===//
// Sums of features
//===----------------------------------------------------------------------===//

def : OnnxMl<"LinearRegressor", (ins "X"),
    (ins MaybeReals:$coefficients, MaybeReals:$intercepts, Words<"NONE">:$post_transform, 1:$targets), !strconcat([{
  k = elementKind("f32");
  n = at(shape(X), rank(X) - 1);
  require(rank(X) == 2 && length(coefficients) == n * targets, "coefficients {coefficients} are not {targets} for each of {n} columns");
  product = MatMul(Cast(X, k), Transpose(RealLiteral(coefficients, [targets, n], k), [1, 0]));
  sums = if(length(intercepts) == targets, product + Broadcast(RealLiteral(intercepts, [targets], k), shape(product)), product);
}], PostTransform<"sums", "Y">.statements)>;
def : OnnxMl<"LinearClassifier", (ins "X"),
    (ins MaybeInts:$classlabels_ints, MaybeTexts:$classlabels_strings, MaybeReals:$coefficients, MaybeReals:$intercepts,
         0:$multi_class, Words<"NONE">:$post_transform), !strconcat([{
  classlabels_int64s = classlabels_ints;
  k = elementKind("f32");
  n = at(shape(X), rank(X) - 1);
  classes = length(coefficients) / max(n, 1);
  require(rank(X) == 2 && classes >= 1 && classes * n == length(coefficients),
          "coefficients {coefficients} are not some for each of {n} columns");
  product = MatMul(Cast(X, k), Transpose(RealLiteral(coefficients, [classes, n], k), [1, 0]));
  sums = if(length(intercepts) == classes, product + Broadcast(RealLiteral(intercepts, [classes], k), shape(product)), product);
  binary = classes == 1 && size(classlabels_ints) == 2;
  edge = 0.0;
  shares = true;
}], Classified)> {
  let outputs = ["Y", "Z?"];
}

def : OnnxMl<"SVMRegressor", (ins "X"),
    (ins MaybeReals:$coefficients, MaybeReals:$kernel_params, Words<"LINEAR">:$kernel_type, 0:$n_supports, 0:$one_class,
         Words<"NONE">:$post_transform, MaybeReals:$rho, MaybeReals:$support_vectors), !strconcat([{
  require(kernel_type == "LINEAR" || kernel_type == "POLY" || kernel_type == "RBF" || kernel_type == "SIGMOID",
          "kernel_type {kernel_type} must be LINEAR, POLY, RBF or SIGMOID");
  k = elementKind("f32");
  x = Cast(X, k);
  n = at(shape(X), rank(X) - 1);
  linear = n_supports == 0;
  m = if(linear, 1, n_supports);
  require(rank(X) == 2 && length(if(linear, coefficients, support_vectors)) == m * n && length(rho) == 1,
          "there must be {m} vectors of {n} numbers, and one of rho");
  vectors = Transpose(RealLiteral(if(linear, coefficients, support_vectors), [m, n], k), [1, 0]);
  dot = MatMul(x, vectors);
  gamma = kernel_params[0];
  all = shape(dot);
  away = Broadcast(ReduceSum(x * x, [1], true), all) + Broadcast(ReduceSum(vectors * vectors, [0], true), all) - 2.0 * dot;
  near = if(kernel_type == "LINEAR" || linear, dot, if(kernel_type == "RBF", Exp(-gamma * away),
         if(kernel_type == "SIGMOID", Tanh(gamma * dot + kernel_params[1]),
            Pow(gamma * dot + kernel_params[1], Splat(kernel_params[2], all, k)))));
  total = if(linear, near, MatMul(near, RealLiteral(coefficients, [m, 1], k)));
  sums = total + rho[0];
  sides = Select(sums > 0.0, Splat(1, shape(sums), k), Splat(-1.0, shape(sums), k));
  asked = if(one_class != 0, sides, sums);
}], PostTransform<"asked", "Y">.statements)>;

//===----------------------------------------------------------------------===//
// Trees
//===----------------------------------------------------------------------===//

// The sums of the weights of the leaves that each row leads to, [rows, n], of
// `targets` with `weights` at the nodes of `trees` and `nodes`.
class TreeSums<string targets, string weights, string trees, string nodes> {
  string statements = !subst("TARGETS", targets, !subst("WEIGHTS", weights, !subst("TREES", trees, !subst("NODES", nodes, [{
    require(rank(X) == 2, "X must have 2 dimensions");
    k = if(kind(X) == elementKind("f64"), kind(X), elementKind("f32"));
    i = elementKind("i64");
    m = size(nodes_nodeids);
    modes = wordIndices(nodes_modes, "LEAF,BRANCH_LEQ,BRANCH_LT,BRANCH_GTE,BRANCH_GT,BRANCH_EQ,BRANCH_NEQ");
    require(size(modes) == m && allAtLeast(modes, 0), "nodes_modes {nodes_modes} must be a known word for each of {m} nodes");
    require(size(nodes_treeids) == m && size(nodes_featureids) == m && length(nodes_values) == m && size(nodes_truenodeids) == m && size(nodes_falsenodeids) == m,
            "there must be as many trees, features, values and branches as the {m} nodes");
    whenTrue = placesOf(nodes_treeids, nodes_nodeids, nodes_treeids, nodes_truenodeids);
    whenFalse = placesOf(nodes_treeids, nodes_nodeids, nodes_treeids, nodes_falsenodeids);
    roots = treeRoots(nodes_treeids, modes, whenTrue, whenFalse);
    missing = listOr(nodes_missing_value_tracks_true, repeat(0, m));
    leaves = TreeLeaves(Cast(X, k), Literal(nodes_featureids, [m], i), RealLiteral(nodes_values, [m], k), Literal(modes, [m], i),
                        Literal(whenTrue, [m], i), Literal(whenFalse, [m], i), Literal(missing, [m], i), Literal(roots, [size(roots)], i));
    held = placesOf(nodes_treeids, nodes_nodeids, TREES, NODES);
    w = length(WEIGHTS);
    require(size(TARGETS) == w && size(held) == w && allAtLeast(held, 0) && allAtLeast(TARGETS, 0) && allBelow(TARGETS, n),
            "there must be a known node and one of {n} targets for each of {w} weights");
    table = ScatterND(Splat(0, [m, n], k), Literal(zipped(held, TARGETS), [w, 2], i), RealLiteral(WEIGHTS, [w], k), "add");
    each = Gather(table, leaves, 0);
    total = ReduceSum(each, [1]);
  }]))));
}
defvar TreeAttributes =
    (ins MaybeReals:$base_values, MaybeInts:$nodes_falsenodeids, MaybeInts:$nodes_featureids, MaybeReals:$nodes_hitrates,
         MaybeInts:$nodes_missing_value_tracks_true, MaybeTexts:$nodes_modes, MaybeInts:$nodes_nodeids,
         MaybeInts:$nodes_treeids, MaybeInts:$nodes_truenodeids, MaybeReals:$nodes_values, Words<"NONE">:$post_transform);

def : OnnxMl<"TreeEnsembleRegressor", (ins "X"),
    !con(TreeAttributes, (ins Words<"SUM">:$aggregate_function, RequiredInt:$n_targets, MaybeInts:$target_ids,
         MaybeInts:$target_nodeids, MaybeInts:$target_treeids, MaybeReals:$target_weights)), !strconcat([{
  require(aggregate_function == "SUM" || aggregate_function == "AVERAGE" || aggregate_function == "MIN" || aggregate_function == "MAX",
          "aggregate_function {aggregate_function} must be SUM, AVERAGE, MIN or MAX");
  n = n_targets;
  require(n == 1 || aggregate_function == "SUM" || aggregate_function == "AVERAGE",
          "aggregate_function {aggregate_function} of {n} targets is not supported");
}], TreeSums<"target_ids", "target_weights", "target_treeids", "target_nodeids">.statements, [{
  whole = if(aggregate_function == "SUM", total, if(aggregate_function == "AVERAGE", total / real(max(size(roots), 1)),
          if(aggregate_function == "MIN", ReduceMin(each, [1]), ReduceMax(each, [1]))));
  based = if(length(base_values) == n, whole + Broadcast(RealLiteral(base_values, [n], k), shape(whole)), whole);
  sums = Cast(based, elementKind("f32"));
}], PostTransform<"sums", "Y">.statements)>;

// Where all weights are of one of two classes, they are of the second.
def : OnnxMl<"TreeEnsembleClassifier", (ins "X"),
    !con(TreeAttributes, (ins MaybeInts:$class_ids, MaybeInts:$class_nodeids, MaybeInts:$class_treeids,
         MaybeReals:$class_weights, MaybeInts:$classlabels_int64s, MaybeTexts:$classlabels_strings)),
    !strconcat([{
  binary = size(classlabels_int64s) == 2 && size(unique(class_ids)) == 1;
  n = if(binary, 1, size(classlabels_int64s));
  targets = if(binary, repeat(0, size(class_ids)), class_ids);
}], TreeSums<"targets", "class_weights", "class_treeids", "class_nodeids">.statements, [{
  base = if(length(base_values) == n, base_values, repeatReal(0.0, n));
  sums = Cast(total + Broadcast(RealLiteral(base, [n], k), shape(total)), elementKind("f32"));
  shares = least(class_weights) >= 0.0;
  edge = if(shares, 0.5, 0.0);
}], Classified)> {
  let outputs = ["Y", "Z?"];
}

// Leaves are in lists of their own; here they follow the nodes, as leaves do.
def : OnnxImport<"TreeEnsemble", 5, (ins "X"),
    (ins 1:$aggregate_function, RequiredInts:$leaf_targetids, RequiredTensor:$leaf_weights, MaybeTensor:$membership_values,
         RequiredInt:$n_targets, RequiredInts:$nodes_falseleafs, RequiredInts:$nodes_falsenodeids,
         RequiredInts:$nodes_featureids, MaybeTensor:$nodes_hitrates, MaybeInts:$nodes_missing_value_tracks_true,
         RequiredTensor:$nodes_modes, RequiredTensor:$nodes_splits, RequiredInts:$nodes_trueleafs,
         RequiredInts:$nodes_truenodeids, 0:$post_transform, RequiredInts:$tree_roots), !strconcat([{
  require(rank(X) == 2, "X must have 2 dimensions");
  require(post_transform >= 0 && post_transform <= 4, "post_transform {post_transform} must be 0 to 4");
  require(aggregate_function >= 0 && aggregate_function <= 3, "aggregate_function {aggregate_function} must be 0 to 3");
  k = if(kind(X) == elementKind("f64"), kind(X), elementKind("f32"));
  i = elementKind("i64");
  n = n_targets;
  m = size(nodes_featureids);
  w = size(leaf_targetids);
  given = ints(nodes_modes);
  require(size(given) == m && allAtLeast(given, 0) && allBelow(given, 7), "nodes_modes {given} must be 0 to 6 for each of {m} nodes");
  members = if(present(membership_values), reals(membership_values), repeatReal(0.0, 0));
  begins = setPlaces(given, members);
  require(allAtLeast(begins, 0), "membership_values must have a set, ended by NaN, for each node of mode 6");
  whenTrue = nodes_truenodeids + nodes_trueleafs * m;
  whenFalse = nodes_falsenodeids + nodes_falseleafs * m;
  require(size(whenTrue) == m && size(whenFalse) == m && elements(nodes_splits) == m && elements(leaf_weights) == w,
          "there must be as many splits and branches as the {m} nodes, and as many weights as the {w} leaves");
  require(allAtLeast(concat(whenTrue, whenFalse), 0) && allBelow(concat(whenTrue, whenFalse), m + w) && allAtLeast(tree_roots, 0) && allBelow(tree_roots, m),
          "branches and roots must lead to one of {m} nodes or {w} leaves");
  require(n >= 1 && allAtLeast(leaf_targetids, 0) && allBelow(leaf_targetids, n), "leaf_targetids {leaf_targetids} must be below {n}");
  none = repeat(0, w);
  missing = concat(listOr(nodes_missing_value_tracks_true, repeat(0, m)), none);
  splits = Concat([Cast(Reshape(nodes_splits, [m]), k), Splat(0, [w], k)], 0);
  leaves = TreeLeaves(Cast(X, k), Literal(concat(nodes_featureids, none), [m + w], i), splits, Literal(concat(given + 1, none), [m + w], i),
                      Literal(concat(whenTrue, none), [m + w], i), Literal(concat(whenFalse, none), [m + w], i), Literal(missing, [m + w], i),
                      Literal(tree_roots, [size(tree_roots)], i), if(present(membership_values), Cast(Reshape(membership_values, [length(members)]), k), membership_values),
                      if(present(membership_values), Literal(concat(begins, none), [m + w], i), membership_values));
  table = ScatterND(Splat(0, [m + w, n], k), Literal(zipped(range(m, m + w), leaf_targetids), [w, 2], i), Cast(leaf_weights, k), "add");
  each = Gather(table, leaves, 0);
  total = ReduceSum(each, [1]);
  sums = if(aggregate_function == 1, total, if(aggregate_function == 0, total / real(max(size(tree_roots), 1)),
         if(aggregate_function == 2, ReduceMin(each, [1]), ReduceMax(each, [1]))));
  after = if(post_transform == 0, "NONE", if(post_transform == 1, "SOFTMAX", if(post_transform == 2, "LOGISTIC", if(post_transform == 3, "SOFTMAX_ZERO", "PROBIT"))));
}], !subst("post_transform", "after", PostTransform<"sums", "Y">.statements))> {
  let domain = "ai.onnx.ml";
}

#endif // GLOW_IMPORT_ONNXML
