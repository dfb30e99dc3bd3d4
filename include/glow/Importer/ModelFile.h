//===- ModelFile.h - an ONNX file, parsed once ------------------*- C++ -*-===//

#ifndef GLOW_IMPORTER_MODELFILE_H
#define GLOW_IMPORTER_MODELFILE_H

#include "glow/Importer/Importer.h"
#include <memory>
#include <mutex>

namespace glow {

struct Model;

/// An ONNX file that was read, and is imported as often as one likes. It is
/// read anew only where it, or a file with its weights, is another one by then.
///
/// Any thread may call its methods, and read the parsed file.
class ModelFile {
public:
  /// No weight is read and no operator looked at. Fails with the file's name in
  /// the message when the file is missing, damaged, or has an input of elements
  /// that we have not.
  static Result<std::unique_ptr<ModelFile>> open(const std::string &path);
  ~ModelFile();

  /// As it was when the file was opened.
  const ModelInterface &interface() const { return theInterface; }

  const std::string &path() const { return thePath; }

  /// A failure that kept the file from import, as of sizes that are missing,
  /// with a note for each of its nodes that no sizes would make import.
  Status withRefusedNodes(const Status &status);

  /// The parsed file, for the importer. Fails with a message that follows the
  /// file's name.
  Result<std::shared_ptr<Model>> model();

private:
  ModelFile(const std::string &path, std::shared_ptr<Model> model);

  std::string thePath;
  ModelInterface theInterface;
  std::mutex mutex; // of what follows
  std::shared_ptr<Model> theModel;
};

} // namespace glow

#endif // GLOW_IMPORTER_MODELFILE_H
