//===- WeightFile.h - the weights of an ONNX file ---------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_DRIVER_TRAINER_WEIGHTFILE_H
#define GLOW_DRIVER_TRAINER_WEIGHTFILE_H

#include "glow/Base/Status.h"
#include "glow/Values/Tensor.h"
#include <memory>
#include <string>
#include <vector>

namespace onnx {
class ModelProto;
class TensorProto;
} // namespace onnx

namespace glow {

/// An ONNX model whose initializers, and results of its Constant nodes, get
/// other values.
class WeightFile {
public:
  /// Fails as readWhole does.
  static Result<WeightFile> open(const std::string &path);
  WeightFile(WeightFile &&);
  ~WeightFile();

  /// The names of weights of f32 and f64.
  std::vector<std::string> names() const;

  /// The value of a weight. Fails as parseOnnxTensor does, and with
  /// Code::NotFound if the file has no such weight.
  Result<Tensor> value(const std::string &name) const;

  /// Replaces the value by one of the same type. Fails with Code::NotFound.
  Status set(const std::string &name, TensorView value);

  /// The number of rows that the file declares for an input; -1 if it is open,
  /// or if there is no such input.
  int64_t rowsOf(const std::string &input) const;

  /// The bytes of the model in which these inputs have any number of rows, and
  /// in which no other size is declared that could contradict.
  Result<std::string>
  bytesForRows(const std::vector<std::string> &inputs) const;

  /// Fails with Code::Unsupported if a message would be too large.
  Result<std::string> bytes() const;

private:
  explicit WeightFile(std::string path);
  onnx::TensorProto *find(const std::string &name) const;

  std::string path;
  std::unique_ptr<onnx::ModelProto> model;
};

} // namespace glow

#endif // GLOW_DRIVER_TRAINER_WEIGHTFILE_H
