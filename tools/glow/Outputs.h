//===- Outputs.h - results, on the screen and in files ----------*- C++ -*-===//

#ifndef GLOW_TOOLS_GLOW_OUTPUTS_H
#define GLOW_TOOLS_GLOW_OUTPUTS_H

#include "Tool.h"
#include "glow/Runtime/Tensor.h"
#include <string>
#include <vector>

namespace glow::tool {

/// Prints name, type, smallest, largest and mean value, and the first elements.
void printTensors(const std::vector<NamedTensor> &tensors);

/// An array of objects with the keys `name kind shape`, and `values` where
/// there are at most 1000. What JSON has no number for is a text: "nan".
Json tensorsAsJson(const std::vector<NamedTensor> &tensors);

/// Writes `NAME.npy` for each into a folder, which is made if need be. In file
/// names, characters that are no letters, digits, '.', '-' or '_' become '_'.
Status writeTensors(const std::string &folder,
                    const std::vector<NamedTensor> &tensors);

/// Element `index` as a double, whatever its kind.
double elementAt(const Tensor &tensor, int64_t index);

} // namespace glow::tool

#endif // GLOW_TOOLS_GLOW_OUTPUTS_H
