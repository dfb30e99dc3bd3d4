//===- Shapes.h - sizes of a model's inputs ---------------------*- C++ -*-===//

#ifndef GLOW_LIB_IMPORTER_SHAPES_H
#define GLOW_LIB_IMPORTER_SHAPES_H

#include "Model.h"
#include "glow/Importer/Importer.h"

namespace glow {

/// Inputs and outputs as the file declares them. Fails, naming all inputs that
/// are wrong, with a note for each node that is refused as well.
Result<ModelInterface> interfaceOf(const Model &model);

/// The static shape of each input: the numbers of the file, and for the other
/// dimensions what `shapes` gives them, by their place or by their name. Fails
/// when a dimension is left over, when a shape is given for no input or one of
/// another shape, and when a name would have two values.
Result<std::vector<Ints>> bindShapes(const std::vector<ModelPort> &inputs,
                                     const std::map<std::string, Ints> &shapes);

} // namespace glow

#endif // GLOW_LIB_IMPORTER_SHAPES_H
