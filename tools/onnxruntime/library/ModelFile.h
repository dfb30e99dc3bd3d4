//===- ModelFile.h - facts of an ONNX file ----------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TOOLS_ONNXRUNTIME_LIBRARY_MODELFILE_H
#define GLOW_TOOLS_ONNXRUNTIME_LIBRARY_MODELFILE_H

#include "Reader.h"
#include "library/Objects.h"

struct OrtModelMetadata {
  std::string producer, graph, domain, description, graphDescription;
  int64_t version = 0;
  std::map<std::string, std::string> entries;
};

namespace glow::ort {

/// The facts of an ONNX file that Glow's C interface does not give.
struct ModelFile {
  OrtModelMetadata data;
  std::map<std::string, OrtTypeInfo> types; ///< of inputs and outputs
};

/// Reads only what it gives: weights are skipped. A file of another form has
/// no facts.
ModelFile readModelFile(const ReadPart &read, uint64_t bytes);

ModelFile readModelFile(const std::string &path);
ModelFile readModelFile(std::string_view bytes);

} // namespace glow::ort

#endif
