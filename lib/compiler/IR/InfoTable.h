//===- InfoTable.h - records by mnemonic ------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_IR_INFOTABLE_H
#define GLOW_LIB_IR_INFOTABLE_H

#include "llvm/ADT/StringMap.h"
#include <mutex>
#include <shared_mutex>
#include <span>
#include <vector>

namespace glow::ir {

/// Rows of generated tables. Any thread may create contexts and load plug-ins.
template <typename Info> class InfoTable {
public:
  /// The only instance in the process.
  static InfoTable &get() {
    static InfoTable table;
    return table;
  }
  /// Adds rows; a row replaces an earlier one of the same mnemonic. The
  /// addresses of rows do not change.
  void add(std::span<const Info> rows) {
    std::unique_lock lock(mutex);
    for (const Info &row : rows)
      entries[row.mnemonic] = &row;
  }
  /// Null where there is none.
  const Info *find(llvm::StringRef mnemonic) {
    std::shared_lock lock(mutex);
    return entries.lookup(mnemonic);
  }
  /// In no order.
  std::vector<llvm::StringRef> mnemonics() {
    std::shared_lock lock(mutex);
    std::vector<llvm::StringRef> names;
    for (const auto &entry : entries)
      names.push_back(entry.second->mnemonic);
    return names;
  }

private:
  std::shared_mutex mutex;
  llvm::StringMap<const Info *> entries;
};

} // namespace glow::ir

#endif // GLOW_LIB_IR_INFOTABLE_H
