//===- MemoryBudget.h - a bound on the memory of a run ----------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_VALUES_MEMORYBUDGET_H
#define GLOW_VALUES_MEMORYBUDGET_H

#include "glow/Base/Status.h"
#include <cstdint>
#include <memory>

namespace glow {

/// Counts the bytes of values whose number or size only a run determines, and
/// refuses allocations beyond a limit.
///
/// During the lifetime of a `Use` of a budget, allocations on its thread count:
/// every Tensor, and every share from `take`. An allocation counts until it is
/// freed, on any thread, even after the budget is destroyed. A thread without a
/// budget has no limit.
class MemoryBudget {
public:
  /// `limit` is in bytes; 0: the default of the machine.
  explicit MemoryBudget(uint64_t limit);

  /// The budget of this thread, for delegated work; a budget without a limit if
  /// the thread uses none.
  static MemoryBudget ofThread();

  /// Holds bytes of a budget until all copies of it are destroyed. Null without
  /// a budget.
  using Share = std::shared_ptr<const void>;

  /// A share of the budget of this thread. Fails with Code::OutOfMemory and the
  /// number of bytes beyond the limit.
  static Result<Share> take(uint64_t bytes);

  /// Whether so many bytes could be taken now; fails as `take` does.
  static Status check(uint64_t bytes) { return take(bytes).status(); }

  struct Account;

  /// Makes this thread use the budget during its lifetime, unless the thread
  /// already uses one: an outer budget takes precedence.
  class Use {
  public:
    explicit Use(const MemoryBudget &budget);
    ~Use();
    Use(const Use &) = delete;
    Use &operator=(const Use &) = delete;

  private:
    bool isFirst;
  };

private:
  explicit MemoryBudget(std::shared_ptr<Account> account);

  std::shared_ptr<Account> account; ///< null: no limit
};

} // namespace glow

#endif // GLOW_VALUES_MEMORYBUDGET_H
