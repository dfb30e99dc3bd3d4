//===- Shapes.h - sizes of a model's inputs ---------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_IMPORTER_MODEL_SHAPES_H
#define GLOW_LIB_IMPORTER_MODEL_SHAPES_H

#include "file/Model.h"
#include "glow/Importer/Importer.h"
#include "glow/Program/Size.h"

namespace glow {

/// Inputs and outputs as the file declares them. Fails, naming all inputs with
/// errors, with a note for each refused node.
Result<ModelInterface> interfaceOf(const ParsedModel &model);

/// The static shape of each input. Its sizes are the numbers of the file;
/// `shapes` gives the other dimensions, by position or by name. Fails when a
/// dimension has no size, when a shape is given for no input or contradicts the
/// declared one, and when a name would have two values. An input of `lengths`
/// has the sizes there.
Result<std::vector<Sizes>>
bindShapes(const std::vector<ModelPort> &inputs,
           const std::map<std::string, Ints> &shapes,
           const std::vector<SizeVariable> &sizes = {},
           const std::map<std::string, Sizes> &lengths = {});

} // namespace glow

#endif // GLOW_LIB_IMPORTER_MODEL_SHAPES_H
