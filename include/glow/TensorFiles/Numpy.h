//===- Numpy.h - tensors in .npy and .npz files -----------------*- C++ -*-===//
//
// The formats are those of numpy.lib.format, versions 1 to 3. bf16, which numpy
// does not know, is stored as two-byte void, as the ml_dtypes package does;
// floats of 8 to 4 bits as one-byte void, which is read as u8, and integers of
// 4 and 2 bits as those of 8 (`takeAs` in TensorFile.h leads back).
//
// Readers take whatever bytes they are given: what is no such file, is cut off
// or is damaged is refused with Code::InvalidArgument, what is intact but holds
// something else with Code::Unsupported. Memory is bounded by what the file
// can hold, not by what it claims.
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

/// The tensor in the bytes of an `.npy` file, row-major whatever its order was.
Result<Tensor> parseNpy(std::string_view bytes);

/// The tensors in the bytes of an `.npz` file, stored or deflated, in the
/// file's order. With `only`, none but that one; Code::NotFound, with the names
/// that are there, if it is missing.
Result<std::vector<NamedTensor>> parseNpz(std::string_view bytes,
                                          std::string_view only = {});

/// The bytes of an `.npy` file.
std::string npyBytes(TensorView tensor);

/// The head of an `.npy` file.
struct NpyHeader {
  TensorType type;
  bool columnMajor = false;
  size_t dataOffset = 0; ///< of the first element, in bytes
};

/// Reads the head from the first bytes of a file; `dataOffset +
/// type.bytes()` is the file's length. `bytes` may end after the head.
Result<NpyHeader> parseNpyHeader(std::string_view bytes);

/// No head is longer than this many bytes.
inline constexpr size_t longestNpyHeader = 1 << 16;

} // namespace glow

#endif // GLOW_TENSORFILES_NUMPY_H
