//===- MemoryBudget.h - a bound on the memory of a run ----------*- C++ -*-===//

#ifndef GLOW_VALUES_MEMORYBUDGET_H
#define GLOW_VALUES_MEMORYBUDGET_H

#include "glow/Base/Status.h"
#include <cstdint>
#include <memory>

namespace glow {

/// Counts the bytes of values whose number or size only a run decides, and
/// refuses what is more than a limit.
///
/// While a `Use` of a budget lives, what its thread makes counts: every Tensor,
/// and what asks for a share by `take`. It counts until it is gone, on whatever
/// thread, also when the budget is gone before. A thread without a budget has
/// no limit.
class MemoryBudget {
public:
  /// `limit` is in bytes; 0: the default of the machine.
  explicit MemoryBudget(uint64_t limit);

  /// That which this thread uses, for work that it leaves to others; one
  /// without a limit where it uses none.
  static MemoryBudget ofThread();

  /// Holds bytes of a budget until it, and every copy of it, is gone. Null
  /// where there is no budget.
  using Share = std::shared_ptr<const void>;

  /// A share of the budget that this thread uses. Fails with Code::OutOfMemory,
  /// saying how much more than the limit it would be.
  static Result<Share> take(uint64_t bytes);

  /// Whether so many bytes could be taken now; fails as `take` does.
  static Status check(uint64_t bytes) { return take(bytes).status(); }

  struct Account;

  /// Makes this thread use the budget for as long as it lives, unless the
  /// thread uses one already: the budget of the whole counts, not that of a
  /// part.
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
