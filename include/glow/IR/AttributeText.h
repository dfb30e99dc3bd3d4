//===- AttributeText.h - words for attributes of records --------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_IR_ATTRIBUTETEXT_H
#define GLOW_IR_ATTRIBUTETEXT_H

#include "glow/IR/InstrInfo.h"

namespace glow::ir {

/// Description of an attribute form in messages: "an integer".
llvm::StringRef describe(AttributeForm form);

} // namespace glow::ir

#endif // GLOW_IR_ATTRIBUTETEXT_H
