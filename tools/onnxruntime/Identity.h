//===- Identity.h - the backend of the provider -----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The same sources are two libraries: Glow's own provider, and the one that is
// copied for the chip of a plug-in. Each has its own definition of both
// functions.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_TOOLS_ONNXRUNTIME_IDENTITY_H
#define GLOW_TOOLS_ONNXRUNTIME_IDENTITY_H

#include <string>

namespace glow::ort {

struct Identity {
  std::string name;    ///< the provider's in ONNX Runtime
  std::string vendor;  ///< the same
  std::string backend; ///< of sessions without that option; "": Glow's choice
};

const Identity &identity();

/// Makes the backend known to Glow. Throws Failure with the reason.
void loadBackend();

} // namespace glow::ort

#endif
