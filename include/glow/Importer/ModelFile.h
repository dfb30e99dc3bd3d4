//===- ModelFile.h - an ONNX file, parsed once ------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_IMPORTER_MODELFILE_H
#define GLOW_IMPORTER_MODELFILE_H

#include "glow/Importer/Importer.h"
#include <memory>
#include <mutex>

namespace glow {

struct ParsedModel;

/// Whether a path is that of a model of Caffe2: a net, or a folder of nets.
bool isNetPath(const std::string &path);

/// A parsed ONNX file that can be imported any number of times. It is read
/// again only if the file, or a file of its weights, has changed.
///
/// Any thread may call its methods, and read the parsed file.
class ModelFile {
public:
  /// Opens and parses a file without reading weights or checking operators.
  /// Fails with the file's name in the message if the file is missing or
  /// damaged, or has an input with unsupported elements.
  static Result<std::unique_ptr<ModelFile>> open(const std::string &path);
  ~ModelFile();

  /// The interface at the time of opening.
  const ModelInterface &interface() const { return theInterface; }

  const std::string &path() const { return thePath; }

  /// Adds notes to a failure that prevented the import, such as missing sizes:
  /// one for each node that cannot be imported with any sizes.
  Status withRefusedNodes(const Status &status);

  /// The parsed file, for the importer. Fails with a message that follows the
  /// file's name.
  Result<std::shared_ptr<ParsedModel>> model();

private:
  ModelFile(const std::string &path, std::shared_ptr<ParsedModel> model);

  std::string thePath;
  ModelInterface theInterface;
  std::mutex mutex; // guards the members below
  std::shared_ptr<ParsedModel> theModel;
};

} // namespace glow

#endif // GLOW_IMPORTER_MODELFILE_H
