//===- OfDevice.h - device and backend of a function ------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_GRAPH_OFDEVICE_H
#define GLOW_GRAPH_OFDEVICE_H

#include "llvm/ADT/StringRef.h"

namespace glow {

/// The attribute that names the device of a function of nodes or instructions,
/// or of a module that has no other device. Functions of devices run in the
/// order of the module. They pass values through placeholders whose role is
/// "between".
inline constexpr llvm::StringLiteral ofDevice = "glow.device";

/// The attribute that names the backend of a function of nodes, or of a module
/// that has no other backend. Functions of backends run and pass values as
/// those of devices do.
inline constexpr llvm::StringLiteral ofBackend = "glow.backend";

} // namespace glow

#endif // GLOW_GRAPH_OFDEVICE_H
