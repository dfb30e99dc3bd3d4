//===- Emit.h - files that a backend makes of models ------------*- C++ -*-===//

#ifndef GLOW_PROGRAM_EMIT_H
#define GLOW_PROGRAM_EMIT_H

#include "glow/Program/CodeOptions.h"

namespace glow {

/// What a bundle is for: any build, CMake's add_subdirectory, or sketches.
enum class BundleForm : uint8_t { Files, CMake, Arduino };

/// What to write of compiled models.
struct EmitRequest {
  std::string what; ///< "llvm", "asm", "obj", "so", "bundle" or "c"
  std::string name; ///< of the bundle: a C identifier

  CodeOptions code;

  /// Whether it is text for every processor.
  bool isPortable() const { return what == "c"; }

  bool embedWeights = false; ///< in the object instead of a file of their own
  bool archive = false;      ///< a static library instead of the object
  bool dynamicApi = false;   ///< a symbol table instead of macros
  BundleForm form = BundleForm::Files;
};

/// A file to write, and how its name goes on after that of the output.
struct EmittedFile {
  std::string suffix; ///< as ".h"; "" when it is the only file
  std::string bytes;
  std::string path = {}; ///< in the folder of a bundle; "" for name and suffix
};

} // namespace glow

#endif // GLOW_PROGRAM_EMIT_H
