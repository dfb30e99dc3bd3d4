//===- Unsupported.td - Caffe2 operators that are refused -----------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_IMPORT_CAFFE2_UNSUPPORTED
#define GLOW_IMPORT_CAFFE2_UNSUPPORTED

include "glow/Import.td"

class Caffe2Unsupported<string operator, string reason> : OnnxUnsupported<operator, 1, reason> {
  let domain = "org.pytorch._caffe2";
}

foreach operator = ["AsyncIf", "Do", "If", "ONNXWhile", "While"] in
  def : Caffe2Unsupported<operator, "nets inside of operators are not supported">;
def : Caffe2Unsupported<"Recurrent", "its weights are in the layout of another library">;
foreach operator = ["Adagrad", "Adam", "MomentumSGD", "MomentumSGDUpdate", "SparseAdagrad"] in
  def : Caffe2Unsupported<operator, "training by a net is not supported">;
foreach operator = ["CreateDB", "ImageInput", "Load", "Save", "TensorProtosDBInput"] in
  def : Caffe2Unsupported<operator, "it reads or writes files">;

#endif // GLOW_IMPORT_CAFFE2_UNSUPPORTED
