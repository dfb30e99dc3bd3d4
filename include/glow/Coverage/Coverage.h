//===- Coverage.h - coverage table of backends ------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Coverage of the loaded records. Includes no LLVM and no MLIR.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_COVERAGE_COVERAGE_H
#define GLOW_COVERAGE_COVERAGE_H

#include "glow/Base/Status.h"
#include <string>

namespace glow {

/// The format of the coverage table, and a filter of its rows.
struct CoverageRequest {
  enum class Format { Text, Markdown, Json } format = Format::Text;
  std::string filter; ///< a regular expression on names; "" for all
};

/// The coverage table: node x backend and ONNX operator x backend. Fails with
/// Code::InvalidArgument if the filter is no regular expression.
Result<std::string> coverageTable(const CoverageRequest &request);

} // namespace glow

#endif // GLOW_COVERAGE_COVERAGE_H
