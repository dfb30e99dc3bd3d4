//===- Numpy.h - tensors in .npy and .npz files -----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The formats are those of numpy.lib.format, versions 1 to 3. bf16, which numpy
// lacks, is stored as two-byte void, as in the ml_dtypes package. Floats of 8
// to 4 bits are stored as one-byte void, which is read as u8. Integers of 4 and
// 2 bits are stored as those of 8 (`takeAs` in TensorFile.h converts back).
//
// Readers accept any bytes. Malformed, truncated or damaged files are refused
// with Code::InvalidArgument, and intact files with unsupported contents with
// Code::Unsupported. Memory is bounded by the size of the file, not by its
// claims.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_TENSORFILES_NUMPY_H
#define GLOW_TENSORFILES_NUMPY_H

#include "glow/Base/Status.h"
#include "glow/Values/Tensor.h"
#include <string>
#include <string_view>
#include <vector>

namespace glow {

/// Parses an `.npy` file. The result is row-major, whatever the order in the
/// file.
Result<Tensor> parseNpy(std::string_view bytes);

/// Parses an `.npz` file, stored or deflated, in the file's order. With `only`,
/// reads that tensor alone; Code::NotFound, with the existing names, if it is
/// missing.
Result<std::vector<NamedTensor>> parseNpz(std::string_view bytes,
                                          std::string_view only = {});

/// The bytes of an `.npy` file.
std::string npyBytes(TensorView tensor);

/// The header of an `.npy` file.
struct NpyHeader {
  TensorType type;
  bool columnMajor = false;
  size_t dataOffset = 0; ///< offset of the first element, in bytes
};

/// Parses the header from the first bytes of a file; `bytes` may end after it.
/// The file's length is `dataOffset + type.bytes()`.
Result<NpyHeader> parseNpyHeader(std::string_view bytes);

/// Maximum length of a header, in bytes.
inline constexpr size_t longestNpyHeader = 1 << 16;

} // namespace glow

#endif // GLOW_TENSORFILES_NUMPY_H
