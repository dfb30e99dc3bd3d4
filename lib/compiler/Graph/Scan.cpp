//===- Scan.cpp - nodes that have index notation as text ------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Graph/Scan.h"
#include "glow/Graph/Format.h"

using namespace mlir;
using namespace glow;

void ScanOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  nameResults(*this, setName);
}

#define GET_OP_CLASSES
#include "glow/Graph/Scan.cpp.inc"
