//===- Functions.h - functions of the model itself --------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_IMPORTER_MODEL_FUNCTIONS_H
#define GLOW_LIB_IMPORTER_MODEL_FUNCTIONS_H

#include "file/Model.h"

namespace glow {

/// Replaces each call of a function by the function's nodes, in all graphs of
/// the model, until no call is left; then the model has no functions.
///
/// A call is a node with the domain, the name and the overload of a function,
/// even if ONNX has an operator of that name. The new nodes are named
/// `call/node`, their values `call/value`; values that the call lists keep its
/// names. `ParsedModel::opset` returns the opset that their function is written
/// for.
///
/// An attribute that a call does not give has the function's default; without a
/// default, attributes that refer to it are left out, as ONNX defines.
///
/// Fails, naming the function, when it calls itself directly or indirectly,
/// when a value that it reads is not defined, and when the model would become
/// too large.
Status expandFunctions(ParsedModel &model);

} // namespace glow

#endif // GLOW_LIB_IMPORTER_MODEL_FUNCTIONS_H
