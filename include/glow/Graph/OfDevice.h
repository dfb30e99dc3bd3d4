//===- OfDevice.h - where a function runs ---------------------*- C++ -*-===//

#ifndef GLOW_GRAPH_OFDEVICE_H
#define GLOW_GRAPH_OFDEVICE_H

#include "llvm/ADT/StringRef.h"

namespace glow {

/// The attribute of a function, of nodes or of instructions, or of a module
/// that has no other, that names the device that runs it. Such functions of a
/// module run in its order, and hand values on in placeholders whose role is
/// "between".
inline constexpr llvm::StringLiteral ofDevice = "glow.device";

/// The attribute of a function of nodes, or of a module that has no other, that
/// names the backend that runs it. Such functions run and hand values on as
/// those of devices do.
inline constexpr llvm::StringLiteral ofBackend = "glow.backend";

} // namespace glow

#endif // GLOW_GRAPH_OFDEVICE_H
