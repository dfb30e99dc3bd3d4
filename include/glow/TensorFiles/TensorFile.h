//===- TensorFile.h - a tensor from a file of any kind we read --*- C++ -*-===//

#ifndef GLOW_TENSORFILES_TENSORFILE_H
#define GLOW_TENSORFILES_TENSORFILE_H

#include "glow/Base/Status.h"
#include "glow/Runtime/Tensor.h"
#include <string>
#include <string_view>

namespace glow {

enum class FileFormat { Npy, Npz, OnnxTensor, Image, Raw };

/// By the end of the path, whatever its case: .npy, .npz, .pb, .png .jpg .jpeg;
/// anything else is raw.
FileFormat formatOf(std::string_view path);

/// Reads a tensor from a file; messages name the file. `type` is what a raw
/// file holds; the others say it themselves. `member` names the array of an
/// `.npz`, which may be another if there is only one.
Result<Tensor> readTensor(const std::string &path, const TensorType &type,
                          std::string_view member);

} // namespace glow

#endif // GLOW_TENSORFILES_TENSORFILE_H
