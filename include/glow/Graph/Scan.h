//===- Scan.h - nodes that have index notation as text ----------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_GRAPH_SCAN_H
#define GLOW_GRAPH_SCAN_H

#include "glow/Graph/Dialect.h"

#define GET_OP_CLASSES
#include "glow/Graph/Scan.h.inc"

#endif // GLOW_GRAPH_SCAN_H
