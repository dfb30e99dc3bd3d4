//===- Group.h - numbers that processes share -------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_DRIVER_TRAINER_GROUP_H
#define GLOW_DRIVER_TRAINER_GROUP_H

#include "glow/Runtime/ProcessGroup.h"

namespace glow {

/// Losses of some rows.
struct LossSums {
  double loss = 0, right = 0, rows = 0;
  double meanLoss() const { return loss / (rows > 0 ? rows : 1); }
  double accuracy() const { return right / (rows > 0 ? rows : 1); }
};

/// A job whose processes train one model. Without a ProcessGroup, this process
/// is alone.
class Group {
public:
  explicit Group(ProcessGroup *group) : group(group) {}

  bool isAlone() const { return !group; }
  int64_t rank() const { return group ? group->rank() : 0; }
  int64_t count() const { return group ? group->count() : 1; }

  /// The rows of a batch that belong to this process.
  std::span<const int64_t> own(std::span<const int64_t> batch,
                               int64_t ofProcess) const;

  /// Waits until all processes are here. Fails if one of them failed: with the
  /// status of this process, or with Code::Cancelled if that is Ok, or if all
  /// failed and this is not the first.
  Status agree(Status own) { return share(std::move(own), nullptr, nullptr); }

  /// The same, and adds up losses. `isStopped` becomes whether any process is.
  Status share(Status own, LossSums *sums, bool *isStopped);

  /// Begins to replace a tensor of f32 or f64 by its mean over all processes,
  /// of which this one has the part `weight` of all rows. Does not read a
  /// tensor of weight 0. The memory belongs to the group until `finish`.
  Status beginMean(const TensorView &tensor, double weight);
  /// Waits for all means that have begun.
  Status finish() { return group ? group->finish() : Status(); }

  /// The numbers of the first process, for all of them.
  Status agreeOn(std::span<double> numbers);

private:
  ProcessGroup *group;
};

} // namespace glow

#endif // GLOW_DRIVER_TRAINER_GROUP_H
