//===- LoopsText.h - files of loops -----------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_IR_LOOPSTEXT_H
#define GLOW_IR_LOOPSTEXT_H

#include "glow/Base/Status.h"
#include "glow/Loops/Text.h"

namespace glow::ir {

/// Parses the programs of a text (Loops/Text.h), whose formulas must be calls
/// of Pointwise nodes. The first mistake is reported with its line and a caret.
Result<std::vector<loops::NamedProgram>> readLoops(llvm::StringRef text,
                                                   llvm::StringRef file);

/// The failure `status`, its message led by the file and the layer of a
/// program.
Status failureIn(const loops::NamedProgram &program, llvm::StringRef file,
                 const Status &status);

} // namespace glow::ir

#endif // GLOW_IR_LOOPSTEXT_H
