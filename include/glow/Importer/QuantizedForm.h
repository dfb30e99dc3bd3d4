//===- QuantizedForm.h - integer inputs of operators ------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Includes no LLVM and no MLIR.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_IMPORTER_QUANTIZEDFORM_H
#define GLOW_IMPORTER_QUANTIZEDFORM_H

#include "glow/Graph/QuantizedForm.h"
#include <string_view>

namespace glow {

/// The form of an operator of an opset, which lives as long as the process. An
/// operator that no record imports stays in floats. Any thread may call this.
const QuantizedForm &quantizedForm(std::string_view domain, std::string_view op,
                                   int64_t opset);

} // namespace glow

#endif // GLOW_IMPORTER_QUANTIZEDFORM_H
