//===- Table.h - bodies of the entries of the table -------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Each row of table/Table.def that is Here or Direct has a body with the name
// of the entry. A body that is Here throws Failure or api::Error, which become
// a status; only marked arguments may be null.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_TOOLS_ONNXRUNTIME_LIBRARY_TABLE_H
#define GLOW_TOOLS_ONNXRUNTIME_LIBRARY_TABLE_H

#include "Elements.h"

namespace glow::ort::entry {

#define ORT_DECLARE_Here(RESULT, NAME, ARGUMENTS) void NAME ARGUMENTS;
#define ORT_DECLARE_Direct(RESULT, NAME, ARGUMENTS) RESULT NAME ARGUMENTS;
#define ORT_DECLARE_Kept(RESULT, NAME, ARGUMENTS)
#define ORT_DECLARE_Absent(RESULT, NAME, ARGUMENTS)
#define ORT_ENTRY(HOW, RESULT, NAME, ARGUMENTS)                                \
  ORT_DECLARE_##HOW(RESULT, NAME, ARGUMENTS)
#include "table/Table.def"

} // namespace glow::ort::entry

namespace glow::ort {

/// The current exception as a status.
OrtStatus *statusOfException() noexcept;

} // namespace glow::ort

#endif
