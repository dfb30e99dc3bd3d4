//===- Coverage.h - what every backend runs ---------------------*- C++ -*-===//
//
// Made from the records that are loaded. Includes no LLVM and no MLIR.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_COVERAGE_COVERAGE_H
#define GLOW_COVERAGE_COVERAGE_H

#include "glow/Base/Status.h"
#include <string>

namespace glow {

/// How the coverage table is written, and what of it.
struct CoverageRequest {
  enum class Format { Text, Markdown, Json } format = Format::Text;
  std::string filter; ///< a regular expression on names; "" for all
};

/// The coverage table: node x backend and ONNX operator x backend. Fails with
/// Code::InvalidArgument when the filter is no regular expression.
Result<std::string> coverageTable(const CoverageRequest &request);

} // namespace glow

#endif // GLOW_COVERAGE_COVERAGE_H
