//===- TensorFile.h - a tensor from a file of any kind we read --*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TENSORFILES_TENSORFILE_H
#define GLOW_TENSORFILES_TENSORFILE_H

#include "glow/Base/Status.h"
#include "glow/Values/Tensor.h"
#include <string>
#include <string_view>

namespace glow {

enum class FileFormat { Npy, Npz, OnnxTensor, Image, Raw };

/// The format by the end of the path, ignoring case: .npy, .npz, .pb, and for
/// images .png, .jpg, .jpeg, .bmp, .pbm, .pgm, .ppm, .pnm, .tif, .tiff, .webp
/// and .jp2. Any other path is raw.
FileFormat formatOf(std::string_view path);

/// Reads a tensor from a file; messages name the file. `type` is the type of a
/// raw file; other formats contain it. `member` names the array of an `.npz`; a
/// single array may have any name.
Result<Tensor> readTensor(const std::string &path, const TensorType &type,
                          std::string_view member);

/// Converts a tensor that a file stores in bytes, since numpy lacks the kind,
/// to a small kind. i8 and u8 become i4, i2, u4 and u2 with the same numbers,
/// which must fit. u8 becomes the float of these bits. Any other tensor stays
/// unchanged.
Status takeAs(ElementKind kind, Tensor &tensor);

} // namespace glow

#endif // GLOW_TENSORFILES_TENSORFILE_H
