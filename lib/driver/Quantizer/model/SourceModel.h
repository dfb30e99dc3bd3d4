//===- SourceModel.h - a model that passes change ---------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_QUANTIZER_MODEL_SOURCEMODEL_H
#define GLOW_LIB_QUANTIZER_MODEL_SOURCEMODEL_H

#include "Branches.h"
#include "glow/Base/MemoryFile.h"
#include "glow/Quantization/GraphQuantization.h"
#include "glow/Quantizer/Quantize.h"
#include <optional>

namespace glow {

/// Whether a file has nodes, as text or as bytecode, by its name.
bool isModule(const std::string &path);

/// A module, or a model of ONNX, which the pass quantize-graph changes. A net
/// is one of ONNX: it is written as that first, for the shapes of the run.
/// Calls of functions are replaced by their nodes, and nodes of branches are
/// nodes of the model while the pass runs.
class SourceModel {
public:
  /// Fails as SessionFactory::open does, and if the model is larger than a
  /// message of ONNX may be.
  static Result<SourceModel> open(const std::string &path,
                                  const QuantizationRun &run);

  /// The model in an opset in which its operators mean the same, from `least`
  /// to `wanted`; `blocker` is then "". The same model if a node prevents it,
  /// which `blocker` names.
  Result<SourceModel> raised(int64_t least, int64_t wanted,
                             std::string &blocker) const;

  bool isOnnx() const { return !isModule(name); }
  const std::string &hash() const { return theHash; } ///< of all files
  const Session &session() const { return *theSession; }
  int64_t opset() const { return theOpset; } ///< 0 of a module

  /// Sizes and values of inputs, and of values that the host computes, for
  /// which a model of ONNX is imported. Without them, open sizes are likely
  /// ones: the changes hold for all sizes.
  void setInputs(const std::map<std::string, InputProfile> &inputs);

  /// Whether a branch of the model computes the value.
  bool isInBranch(const std::string &value) const {
    return branches.contains(value);
  }

  /// The bytes of a model of ONNX with other outputs.
  Result<std::string> withOutputs(const std::vector<std::string> &names) const;

  /// The bytes of the model after the pass; null: as it is.
  Result<std::string>
  changed(const std::shared_ptr<GraphQuantization> &pass) const;

  /// The same as a file; `request` has the shapes of a module.
  Result<std::string> file(const std::shared_ptr<GraphQuantization> &pass,
                           ModelForm form, const CompileRequest &request) const;

  /// Runs the pass for its results.
  Status look(const std::shared_ptr<GraphQuantization> &pass) const;

private:
  SourceModel() = default;
  Status openSession(const std::string &path);
  Status openChanged(const std::string &bytes);
  Status openNet();
  Result<std::string> sunk(Result<std::string> bytes) const;

  std::string name;                         ///< the path that the user gave
  std::string path;                         ///< the file that is read
  std::shared_ptr<const MemoryFile> memory; ///< the file, if it has no name
  Branches branches;
  std::string theHash;
  int64_t theOpset = 0;
  QuantizationRun run;
  CompileRequest request;
  std::map<std::string, TensorType> given; ///< by the host
  std::shared_ptr<Session> theSession;
};

} // namespace glow

#endif // GLOW_LIB_QUANTIZER_MODEL_SOURCEMODEL_H
