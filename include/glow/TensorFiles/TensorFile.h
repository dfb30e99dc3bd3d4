//===- TensorFile.h - a tensor from a file of any kind we read --*- C++ -*-===//

#ifndef GLOW_TENSORFILES_TENSORFILE_H
#define GLOW_TENSORFILES_TENSORFILE_H

#include "glow/Base/Status.h"
#include "glow/Values/Tensor.h"
#include <string>
#include <string_view>

namespace glow {

enum class FileFormat { Npy, Npz, OnnxTensor, Image, Raw };

/// By the end of the path, whatever its case: .npy, .npz, .pb, and of images
/// .png, .jpg, .jpeg, .bmp, .pbm, .pgm, .ppm, .pnm, .tif, .tiff, .webp and
/// .jp2; anything else is raw.
FileFormat formatOf(std::string_view path);

/// Reads a tensor from a file; messages name the file. `type` is what a raw
/// file holds; the others say it themselves. `member` names the array of an
/// `.npz`, which may be another if there is only one.
Result<Tensor> readTensor(const std::string &path, const TensorType &type,
                          std::string_view member);

/// Makes a tensor that a file holds in bytes, since numpy has no such kind, one
/// of a small kind: i8 and u8 become i4, i2, u4 and u2 of the same numbers,
/// which must fit, and u8 the float of these bits. Leaves any other as it is.
Status takeAs(ElementKind kind, Tensor &tensor);

} // namespace glow

#endif // GLOW_TENSORFILES_TENSORFILE_H
