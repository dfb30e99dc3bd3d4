//===- Group.cpp - numbers that processes share ---------------------------===//
// SPDX-License-Identifier: MIT

#include "Group.h"
#include "glow/Base/VisitKind.h"
#include <algorithm>
#include <array>

using namespace glow;

std::span<const int64_t> Group::own(std::span<const int64_t> batch,
                                    int64_t ofProcess) const {
  const auto first = std::min(batch.size(), size_t(rank() * ofProcess));
  return batch.subspan(first,
                       std::min(batch.size() - first, size_t(ofProcess)));
}

Status Group::share(Status own, LossSums *sums, bool *isStopped) {
  if (!group)
    return own;
  std::array<double, 5> numbers = {own.ok() ? 0.0 : 1.0,
                                   isStopped && *isStopped ? 1.0 : 0.0};
  if (sums && own.ok())
    numbers[2] = sums->loss, numbers[3] = sums->right, numbers[4] = sums->rows;
  const TensorType type{ElementKind::F64, {int64_t(numbers.size())}};
  const TensorView view{numbers.data(), &type};
  if (Status status = group->sum({&view, 1}); !status.ok())
    return status;
  if (isStopped)
    *isStopped = numbers[1] > 0;
  if (sums)
    *sums = {numbers[2], numbers[3], numbers[4]};
  if (numbers[0] == 0)
    return Status();
  const bool areAll = numbers[0] == double(count());
  return own.ok() || (areAll && rank() > 0)
             ? Status(Code::Cancelled, "another process failed")
             : own;
}

/// Multiplies the elements of a tensor. With weight 0, any element becomes 0.
static void scale(const TensorView &tensor, double weight) {
  visitKind(tensor.type->kind, [&]<typename T>(std::type_identity<T>) {
    if constexpr (std::is_floating_point_v<T>) {
      std::span<T> all{static_cast<T *>(tensor.data),
                       size_t(tensor.type->elements())};
      for (T &one : all)
        one = weight == 0 ? T(0) : T(double(one) * weight);
    }
  });
}

Status Group::beginMean(const TensorView &tensor, double weight) {
  scale(tensor, weight);
  return group ? group->begin({&tensor, 1}) : Status();
}

Status Group::agreeOn(std::span<double> numbers) {
  const TensorType type{ElementKind::F64, {int64_t(numbers.size())}};
  const TensorView view{numbers.data(), &type};
  scale(view, rank() == 0 ? 1 : 0);
  return group ? group->sum({&view, 1}) : Status();
}
