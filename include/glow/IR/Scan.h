//===- Scan.h - instructions that have their loops as text ------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_IR_SCAN_H
#define GLOW_IR_SCAN_H

#include "glow/Graph/Shape.h"
#include "glow/IR/InstrInfo.h"
#include "glow/IR/Structure.h"
#include "glow/Loops/Program.h"
#include <memory>

#define GET_OP_CLASSES
#include "glow/IR/Scan.h.inc"

namespace glow::ir {

/// The one program of a text in the language of Loops/Text.h. Null after a
/// report if the text is wrong, or has formulas that are.
std::unique_ptr<loops::Program> programOf(llvm::StringRef text, Report report);

/// The loops of a `scan`; null if its text is wrong.
std::unique_ptr<loops::Program> loopsOf(ScanInstr scan);

/// The row of `scan`. Its verifier compares the tensors of the program with the
/// types of the buffers.
std::span<const InstrInfo> scanInstr();

} // namespace glow::ir

#endif // GLOW_IR_SCAN_H
