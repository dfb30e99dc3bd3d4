//===- Image.h - from LLVM IR to code in memory ---------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_CPU_COMPILE_IMAGE_H
#define GLOW_BACKENDS_CPU_COMPILE_IMAGE_H

#include "codegen/emit/Emit.h"
#include "device/Code.h"

namespace glow::cpu {

/// Links the library functions that the module uses into it. Fails if the
/// library lacks one.
Status linkLibrary(CodeModule &module);

/// Inlines functions of the library, and joins equal expressions.
void inlineLibrary(CodeModule &module);

/// The module as the file that `kind` says.
Result<std::string> generate(CodeModule &module, llvm::CodeGenFileType kind);

/// The object file of the module and of the library functions that it uses.
Result<std::string> makeObject(CodeModule &module);

/// The code of the module and of the library functions that it uses, for this
/// process: linked, if the quick code generator or Flatten.h can do so.
Result<MadeCode> makeCode(CodeModule &module);

/// The module as text, after what `generate` does before it makes code.
std::string printModule(CodeModule &module);

/// Code that can be called in this process.
class Image {
public:
  /// Tells a debugger of the code if it is `debugged`.
  static Result<std::shared_ptr<const Image>>
  load(std::shared_ptr<const MadeCode> code, bool debugged = false);
  virtual ~Image() = default;

  /// A precompiled kernel, or a function of the code; null when there is no
  /// symbol of this name.
  void *find(const std::string &symbol) const;
  SymbolFinder finder() const {
    return [this](const std::string &symbol) { return find(symbol); };
  }

private:
  virtual void *findMade(const std::string &symbol) const = 0;
};

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_COMPILE_IMAGE_H
