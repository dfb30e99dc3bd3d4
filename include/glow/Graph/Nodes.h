//===- Nodes.h - the declared nodes, from records ---------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_GRAPH_NODES_H
#define GLOW_GRAPH_NODES_H

#include "glow/Generated/GlowNodes.h"

#endif // GLOW_GRAPH_NODES_H
