//===- MappedRows.h - rows of an npy file -----------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_DRIVER_TRAINER_MAPPEDROWS_H
#define GLOW_DRIVER_TRAINER_MAPPEDROWS_H

#include "glow/Trainer/Trainer.h"
#include <memory>
#include <span>
#include <string>

namespace glow {

/// An npy file that is mapped, so that it may be larger than memory, or a
/// tensor of the caller. The first axis has the rows.
class MappedRows final : public RowSource {
public:
  /// Fails, naming the file, with
  ///   Code::NotFound         if it cannot be opened;
  ///   Code::InvalidArgument  if it is no npy file, or is incomplete;
  ///   Code::Unsupported      if it is in the order of columns, or if its
  ///                          elements are neither integers nor floats of 16
  ///                          bits and more.
  static Result<MappedRows> open(const std::string &path);
  /// Rows of a tensor, which outlives them. `path` stands in messages. Fails as
  /// `open` does for a tensor.
  static Result<MappedRows> of(const std::string &path, TensorView tensor);

  const std::string &path() const override { return thePath; }
  const TensorType &type() const override { return theType; }

  /// Copies rows to a tensor, whose elements may be of another kind, and
  /// changes none of them.
  Status gather(std::span<const int64_t> rows, std::optional<uint64_t> draw,
                Tensor &into) const override;

  /// An element as an integer, in row-major order.
  int64_t integer(int64_t index) const;

private:
  MappedRows() = default;
  Status check() const;

  std::string thePath;
  TensorType theType;
  std::shared_ptr<const void> map;
  const char *data = nullptr;
};

} // namespace glow

#endif // GLOW_DRIVER_TRAINER_MAPPEDROWS_H
