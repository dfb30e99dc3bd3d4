//===- Context.h - compiled programs in EPContext nodes ---------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A context is an ONNX model, and the files of Glow's cache for that model. The
// reader of a context compiles nothing.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_TOOLS_ONNXRUNTIME_CONTEXT_H
#define GLOW_TOOLS_ONNXRUNTIME_CONTEXT_H

#include "Engine.h"

namespace glow::ort {

/// Options of a session for contexts, from its entries "ep.context_...".
struct ContextSettings {
  bool enabled = false;
  bool embedded = false; ///< in the node, not in a file beside the model
  std::string path;      ///< the model with contexts; empty: the host's path
};

/// An engine, and the context of its programs; empty unless it is asked for.
struct Prepared {
  std::shared_ptr<Engine> engine;
  std::string context;
};

/// Compiles a model, and makes its context. Fails as Engine does, or with
/// Failure if files cannot be written.
Prepared compileForContext(const std::string &model, const std::string &name,
                           const Settings &settings);

/// The engine of a context. Throws Failure for other bytes, and for a context
/// of another version or processor. Fails as Engine does. A program that the
/// context does not have is compiled; `compiled` is then true.
std::shared_ptr<Engine> engineOfContext(std::string_view context,
                                        const std::string &name,
                                        const Settings &settings,
                                        bool &compiled);

} // namespace glow::ort

#endif
