//===- Outputs.h - results, on the screen and in files ----------*- C++ -*-===//

#ifndef GLOW_TOOLS_GLOW_OUTPUTS_H
#define GLOW_TOOLS_GLOW_OUTPUTS_H

#include "Tool.h"
#include "glow/Base/NewFile.h"
#include "glow/Values/HostValue.h"
#include <string>
#include <vector>

namespace glow::tool {

/// Prints of tensors name, type, smallest, largest and mean value, and the
/// first elements; of strings the first ones; of a map its first keys with
/// their values; of a sequence the first elements, each as a value of its own.
void printValues(std::span<const NamedValue> values);

/// An array of objects with the keys `name kind shape`, and `values` where
/// there are at most 1000. What JSON has no number for is a text: "nan". The
/// kind may be "string"; a map has the kind "map", `keys` and `values` in place
/// of a shape, a sequence the kind "sequence" and `elements`.
Json valuesAsJson(std::span<const NamedValue> values);

/// Adds `NAME.npy` for each, in a folder, which is made if need be. In file
/// names, bytes that are no ASCII letters, digits, '.', '-' or '_', and a '.'
/// in front, become '%' and two hexadecimal digits. What then has more than
/// 200, or none, ends in "%%" and its place among the tensors, which no other
/// name has. Fails where one would take the place of one of `inputs`.
Status writeTensors(NewFiles &files, const std::string &folder,
                    const std::vector<NamedTensor> &tensors,
                    const std::vector<std::string> &inputs = {});

/// What a tensor is called in such a folder.
std::string fileName(const std::string &name, size_t number,
                     const std::string &ending);

/// Element `index` as a double, whatever its kind.
double elementAt(const Tensor &tensor, int64_t index);

} // namespace glow::tool

#endif // GLOW_TOOLS_GLOW_OUTPUTS_H
