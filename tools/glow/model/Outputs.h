//===- Outputs.h - results, on the screen and in files ----------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TOOLS_GLOW_MODEL_OUTPUTS_H
#define GLOW_TOOLS_GLOW_MODEL_OUTPUTS_H

#include "cli/Tool.h"
#include "glow/Base/NewFile.h"
#include "glow/Values/HostValue.h"
#include <string>
#include <vector>

namespace glow::tool {

/// Prints values. A tensor has its name, type, smallest, largest and mean
/// value, and its first elements. A tensor of strings has its first elements,
/// and a map its first keys with their values. The first elements of a sequence
/// are printed like values.
void printValues(std::span<const NamedValue> values);

/// An array of objects with the keys `name kind shape`, and `values` if there
/// are at most 1000. Numbers that JSON lacks are texts: "nan". The kind may be
/// "string"; a map has the kind "map", `keys` and `values` in place of a shape,
/// a sequence the kind "sequence" and `elements`.
Json valuesAsJson(std::span<const NamedValue> values);

/// Adds `NAME.npy` for each, in a folder, which is made if need be. In file
/// names, bytes that are no ASCII letters, digits, '.', '-' or '_', and a '.'
/// in front, become '%' and two hexadecimal digits. A name with more than 200
/// bytes, or none, then ends in "%%" and the tensor's index, which makes it
/// unique. Fails where one would take the place of one of `inputs`.
Status writeTensors(NewFiles &files, const std::string &folder,
                    const std::vector<NamedTensor> &tensors,
                    const std::vector<std::string> &inputs = {});

/// The file name of a tensor in such a folder.
std::string fileName(const std::string &name, size_t number,
                     const std::string &ending);

/// Element `index` as a double, whatever its kind.
double elementAt(const Tensor &tensor, int64_t index);

} // namespace glow::tool

#endif // GLOW_TOOLS_GLOW_MODEL_OUTPUTS_H
