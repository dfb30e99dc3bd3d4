//===- Emit.h - shared parts of the emitters ------------------------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_GEN_EMIT_LANGUAGE_EMIT_H
#define GLOW_GEN_EMIT_LANGUAGE_EMIT_H

#include "Model/node/Node.h"
#include "mlir/TableGen/GenInfo.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <set>

namespace glow::gen {

/// The C++ of a message in which {expression} stands for a value.
std::string messageCode(llvm::StringRef message, const ValueEmitter &values,
                        const llvm::Record &record);

/// Declares the functions of the language that Functions.h does not declare.
void declareFunctions(const Model &model, llvm::raw_ostream &os);

/// The C++ class of a node, `::glow::Conv`.
/// A condition that must hold in each run, as C++.
std::string proven(const std::string &condition);
std::string qualified(const NodeModel &node);

/// The accessor that ODS makes for `name`: getLhs.
std::string getterOf(llvm::StringRef name);

/// The root of the files that derived records include: the value of
/// -include-name.
llvm::StringRef includedRoot();

/// The C++ of a list of the nodes of these classes: `"glow.add", ` each.
std::string nodeNames(const Model &model, const std::set<std::string> &classes);

/// Emits an array of texts, each in quotes and followed by a comma; an empty
/// span where there are none.
void emitNames(llvm::StringRef array, llvm::StringRef texts,
               llvm::raw_ostream &os);

/// Restricts -gen-kernels to the kernels of one family; "" stands for all.
void chooseFamily(llvm::StringRef family);

/// A registered emitter: name, description, function.
using EmitFunction = bool (*)(const Model &, llvm::raw_ostream &);
struct Emitter {
  Emitter(llvm::StringRef name, llvm::StringRef description,
          EmitFunction function);

private:
  mlir::GenRegistration registration;
};

} // namespace glow::gen

#endif // GLOW_GEN_EMIT_LANGUAGE_EMIT_H
