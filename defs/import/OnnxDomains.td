//===- OnnxDomains.td - the opsets that there are -------------------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_IMPORT_ONNXDOMAINS
#define GLOW_IMPORT_ONNXDOMAINS

include "glow/Base.td"

def : OnnxDomain<"ai.onnx", 28>;
def : OnnxDomain<"ai.onnx.ml", 5>;
def : OnnxDomain<"ai.onnx.preview.training", 1>;
def : OnnxDomain<"com.microsoft", 1>;
def : OnnxDomain<"ai.glow", 1>;
def : OnnxDomain<"org.pytorch._caffe2", 1>;

#endif // GLOW_IMPORT_ONNXDOMAINS
