//===- MemoryBudget.cpp - a bound on the memory of a run ------------------===//
// SPDX-License-Identifier: MIT
//
// A `Loop` may gather for ever, and a `Tile` by a computed number may take any
// memory; no check before the run detects that. So every tensor takes its bytes
// from the budget of its thread, wherever it is made. It returns the bytes when
// it is destroyed; texts and lists of values do the same. A parameter through
// all operators would be forgotten by the next operator.
//
//===----------------------------------------------------------------------===//

#include "glow/Values/MemoryBudget.h"
#include "glow/Base/MemorySize.h"
#include <atomic>

using namespace glow;

struct MemoryBudget::Account {
  const uint64_t limit;
  std::atomic<uint64_t> taken = 0;

  explicit Account(uint64_t limit) : limit(limit) {}

  /// Takes the bytes; returns false, taking nothing, beyond the limit.
  bool take(uint64_t bytes) {
    uint64_t before = taken.load(std::memory_order_relaxed);
    do {
      if (bytes > limit || before > limit - bytes)
        return false;
    } while (!taken.compare_exchange_weak(before, before + bytes,
                                          std::memory_order_relaxed));
    return true;
  }
};

namespace {

/// Returns bytes to the account when it is destroyed.
struct Held {
  std::shared_ptr<MemoryBudget::Account> account;
  uint64_t bytes;

  Held(std::shared_ptr<MemoryBudget::Account> account, uint64_t bytes)
      : account(std::move(account)), bytes(bytes) {}
  Held(const Held &) = delete;
  ~Held() { account->taken.fetch_sub(bytes, std::memory_order_relaxed); }
};

} // namespace

static thread_local std::shared_ptr<MemoryBudget::Account> current;

MemoryBudget::MemoryBudget(uint64_t limit)
    : account(std::make_shared<Account>(limit ? limit : defaultMemoryLimit())) {
}

MemoryBudget::MemoryBudget(std::shared_ptr<Account> account)
    : account(std::move(account)) {}

MemoryBudget MemoryBudget::ofThread() { return MemoryBudget(current); }

Result<MemoryBudget::Share> MemoryBudget::take(uint64_t bytes) {
  if (!current)
    return Share();
  if (!current->take(bytes))
    return failure(Code::OutOfMemory, sizeText(bytes),
                   " are needed, and the values of the run take ",
                   sizeText(current->taken), "; the limit is ",
                   sizeText(current->limit), ": give another memory-limit");
  return Share(std::make_shared<Held>(current, bytes));
}

MemoryBudget::Use::Use(const MemoryBudget &budget) : isFirst(!current) {
  if (isFirst)
    current = budget.account;
}

MemoryBudget::Use::~Use() {
  if (isFirst)
    current = nullptr;
}
