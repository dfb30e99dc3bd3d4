//===- Scan.h - instructions that have their loops as text ------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_IRGEN_SCAN_H
#define GLOW_LIB_IRGEN_SCAN_H

#include "glow/Graph/Scan.h"
#include "glow/IRGen/IRGen.h"

namespace glow {

/// Emits the instruction of a scan, with its memory. Fails after a report.
mlir::LogicalResult generateScan(ScanOp node, InstrBuilder &instr);

} // namespace glow

#endif // GLOW_LIB_IRGEN_SCAN_H
