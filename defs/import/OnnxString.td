//===- OnnxString.td - ONNX operators on strings --------------------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_IMPORT_ONNXSTRING
#define GLOW_IMPORT_ONNXSTRING

include "glow/HostOperator.td"

def : HostOperator<"Constant", 1, (ins),
                   ["value", "value_string", "value_strings", "sparse_value", "value_float",
                    "value_floats", "value_int", "value_ints"], HoldsStrings, "stringConstant">;
def : HostOperator<"Cast", 9, (ins "input"), ["to", "saturate"], HoldsStrings, "stringCast">;
def : HostOperator<"CastLike", 15, (ins "input", "target_type"), ["saturate"], HoldsStrings,
                   "stringCastLike">;
def : HostOperator<"Equal", 19, (ins "A", "B"), [], HoldsStrings, "stringEqual">;
def : HostOperator<"StringConcat", 20, (ins "X", "Y"), [], HoldsStrings, "stringConcat">;
def : HostOperator<"StringSplit", 20, (ins "X"), ["delimiter", "maxsplit"], HoldsStrings,
                   "stringSplit">;
def : HostOperator<"StringNormalizer", 10, (ins "X"),
                   ["case_change_action", "is_case_sensitive", "locale", "stopwords"],
                   HoldsStrings, "stringNormalizer">;
def : HostOperator<"RegexFullMatch", 20, (ins "X"), ["pattern"], HoldsStrings, "regexFullMatch">;
def : HostOperator<"TfIdfVectorizer", 9, (ins "X"),
                   ["max_gram_length", "max_skip_count", "min_gram_length", "mode",
                    "ngram_counts", "ngram_indexes", "pool_int64s", "pool_strings", "weights"],
                   HoldsStrings, "tfIdfVectorizer">;
def : HostOperator<"LabelEncoder", 2, (ins "X"),
                   ["default_float", "default_int64", "default_string", "default_tensor",
                    "keys_floats", "keys_int64s", "keys_strings", "keys_tensor", "values_floats",
                    "values_int64s", "values_strings", "values_tensor"],
                   HoldsStrings, "labelEncoder"> {
  let domain = "ai.onnx.ml";
}
def : HostOperator<"LabelEncoder", 1, (ins "X"),
                   ["classes_strings", "default_int64", "default_string"],
                   HoldsStrings, "categoryMapper"> {
  let domain = "ai.onnx.ml";
}
def : HostOperator<"CategoryMapper", 1, (ins "X"),
                   ["cats_int64s", "cats_strings", "default_int64", "default_string"], HoldsStrings,
                   "categoryMapper"> {
  let domain = "ai.onnx.ml";
}
def : HostOperator<"OneHotEncoder", 1, (ins "X"), ["cats_int64s", "cats_strings", "zeros"],
                   MayHoldStrings, "oneHotEncoder"> {
  let domain = "ai.onnx.ml";
}
def : HostOperator<"Tokenizer", 1, (ins "X"),
                   ["mark", "mincharnum", "pad_value", "separators", "tokenexp"],
                   HoldsStrings, "tokenizer"> {
  let domain = "com.microsoft";
}
def : HostOperator<"SVMClassifier", 1, (ins "X"),
                   ["classlabels_ints", "classlabels_strings", "coefficients", "kernel_params",
                    "kernel_type", "post_transform", "prob_a", "prob_b", "rho", "support_vectors",
                    "vectors_per_class"],
                   MayHoldStrings, "svmClassifier"> {
  let domain = "ai.onnx.ml";
}

#endif // GLOW_IMPORT_ONNXSTRING
