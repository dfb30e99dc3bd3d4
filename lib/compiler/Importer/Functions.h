//===- Functions.h - functions of the model itself --------------*- C++ -*-===//

#ifndef GLOW_LIB_IMPORTER_FUNCTIONS_H
#define GLOW_LIB_IMPORTER_FUNCTIONS_H

#include "Model.h"

namespace glow {

/// Puts the nodes of a function in the place of each node that calls it, in all
/// graphs of the model, until none does; then the model has no functions.
///
/// A node that calls has the domain, the name and the overload of a function,
/// also where an operator of ONNX has them. The nodes in its place are named
/// `call/node`, their values `call/value`; values that the call lists keep its
/// names. `Model::opset` knows what opset their function is written for.
///
/// An attribute that a call does not give has the function's default; without
/// one, what refers to it is left out, as ONNX defines.
///
/// Fails, naming the function, when it calls itself by whatever way, when what
/// it reads is not defined, and when the model would become too large.
Status expandFunctions(Model &model);

} // namespace glow

#endif // GLOW_LIB_IMPORTER_FUNCTIONS_H
