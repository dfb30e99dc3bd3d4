//===- Emit.h - files emitted for models ------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_PROGRAM_EMIT_H
#define GLOW_PROGRAM_EMIT_H

#include "glow/Program/CodeOptions.h"

namespace glow {

/// Use of a bundle: any build, CMake's add_subdirectory, or Arduino sketches.
enum class BundleForm : uint8_t { Files, CMake, Arduino };

/// A request to emit compiled models as files.
struct EmitRequest {
  std::string what; ///< "llvm", "asm", "obj", "so", "bundle" or "c"
  std::string name; ///< name of the bundle: a C identifier

  CodeOptions code;

  /// Whether the output is text for every processor.
  bool isPortable() const { return what == "c"; }

  bool embedWeights = false; ///< in the object, not in a separate file
  bool archive = false;      ///< a static library, not an object
  bool dynamicApi = false;   ///< a symbol table, not macros
  BundleForm form = BundleForm::Files;
};

/// A file to write. Its name is that of the output followed by a suffix.
struct EmittedFile {
  std::string suffix; ///< such as ".h"; "" if it is the only file
  std::string bytes;
  std::string path = {}; ///< in a bundle's folder; "" for name and suffix
};

} // namespace glow

#endif // GLOW_PROGRAM_EMIT_H
