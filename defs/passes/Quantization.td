//===- Quantization.td - passes from floats to integers ------------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_PASSES_QUANTIZATION
#define GLOW_PASSES_QUANTIZATION

include "mlir/Pass/PassBase.td"

def ShowValues : Pass<"show-values", "::mlir::ModuleOp"> {
  let summary = "save each value of floats as an output, under its name in a profile";
}

def QuantizeGraph : Pass<"quantize-graph", "::mlir::ModuleOp"> {
  let summary = "let nodes read integers, with scales that follow from a profile";
  let options = [
    Option<"profile", "profile", "std::string", "\"\"",
           "the profile's file; not needed where activations stay floats">,
    Option<"schema", "schema", "::glow::Scheme", "::glow::Scheme::Asymmetric",
           "mapping of activations to integers", [{::llvm::cl::values(
             clEnumValN(::glow::Scheme::Asymmetric, "asymmetric", "unsigned, with a zero point"),
             clEnumValN(::glow::Scheme::Symmetric, "symmetric", "signed"),
             clEnumValN(::glow::Scheme::SymmetricUint8, "symmetric-uint8",
                        "unsigned where nothing is negative"),
             clEnumValN(::glow::Scheme::PowerOfTwo, "power-of-two",
                        "signed, with powers of two as scales"))}]>,
    Option<"calibration", "calibration", "::glow::RangeChoice", "::glow::RangeChoice::MinMax",
           "choice of a range from a histogram", [{::llvm::cl::values(
             clEnumValN(::glow::RangeChoice::MinMax, "min-max", "all numbers"),
             clEnumValN(::glow::RangeChoice::Percentile, "percentile", "most numbers"),
             clEnumValN(::glow::RangeChoice::Entropy, "entropy", "the least divergence"),
             clEnumValN(::glow::RangeChoice::MeanSquare, "mean-square", "the least error"))}]>,
    Option<"percentile", "percentile", "double", "99.99",
           "of calibration percentile: the percentage of numbers within the range">,
    Option<"activationBits", "activation-bits", "unsigned", "8",
           "of activations: 8, 16, or 0 where they stay floats">,
    Option<"weightBits", "weight-bits", "unsigned", "8", "of weights: 4, 8 or 16">,
    Option<"biasBits", "bias-bits", "unsigned", "32",
           "of addends of products: 32 with the scale of the product, or 8 with their own">,
    Option<"perChannel", "per-channel", "bool", "true",
           "a scale of weights for each channel of the result">,
    Option<"block", "block", "unsigned", "0",
           "weights of a product's column that share a scale, without integer activations; "
           "0: the whole column">,
    Option<"equalize", "equalize", "bool", "false",
           "make the channels between two products alike first">,
    Option<"correctBias", "correct-bias", "bool", "false",
           "take from addends what rounding the weights adds on average">,
    ListOption<"only", "only", "std::string",
               "regular expressions of the names or mnemonics of nodes that may be integers">,
    ListOption<"skip", "skip", "std::string",
               "regular expressions of the names or mnemonics of nodes that stay in floats">];
}

#endif // GLOW_PASSES_QUANTIZATION
