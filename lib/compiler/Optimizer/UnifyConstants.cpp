//===- UnifyConstants.cpp - equal constants are one -----------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Base/Hash.h"
#include "glow/Graph/Storage.h"
#include "glow/Optimizer/Passes.h"
#include "llvm/ADT/DenseMap.h"
#include <map>

using namespace mlir;

namespace glow {

#define GEN_PASS_DEF_UNIFYCONSTANTS
#include "glow/Optimizer/Passes.h.inc"

namespace {

/// Merges constants with equal types and equal bytes, such as weights that a
/// model ties but stores twice: all reads then read the first.
///
/// Pinned first of all optimizations: computations on tied weights are then
/// equal, so that folding and CSE see them once. The next `simplify-graph`
/// removes constants without reads. Ends because it visits every constant and
/// every read once.
struct UnifyConstants : impl::UnifyConstantsBase<UnifyConstants> {
  using UnifyConstantsBase::UnifyConstantsBase;

  void runOnOperation() override {
    for (auto constant : getOperation().getOps<ConstantOp>())
      if (isKnown(constant.getValue()))
        add(constant);
    if (firstOf.empty())
      return;
    for (FuncOp function : getOperation().getOps<FuncOp>())
      function.walk([&](ReadOp read) {
        auto found = firstOf.find(read.getStorageAttr().getAttr());
        if (found != firstOf.end())
          read.setStorageAttr(FlatSymbolRefAttr::get(found->second));
      });
    firstOf.clear();
    groups.clear();
  }

private:
  /// A hash of both ends of the bytes. Large constants are read in full only if
  /// their ends agree: the rest of a mapped file stays on disk.
  static Hash endsOf(ArrayRef<char> bytes) {
    constexpr size_t length = 4096;
    auto view = [](ArrayRef<char> part) {
      return std::string_view(part.data(), part.size());
    };
    if (bytes.size() <= 2 * length)
      return Hash::of(view(bytes));
    HashOfParts ends;
    ends.add(view(bytes.take_front(length)));
    ends.add(view(bytes.take_back(length)));
    return ends.finish();
  }

  void add(ConstantOp constant) {
    TensorBytes bytes = bytesOf(constant.getValue());
    auto &group = groups[{constant.getValue().getType().getAsOpaquePointer(),
                          endsOf(bytes.bytes)}];
    for (ConstantOp other : group)
      if (bytesOf(other.getValue()).bytes == bytes.bytes) {
        firstOf[constant.getSymNameAttr()] = other.getSymNameAttr();
        return;
      }
    group.push_back(constant);
  }

  /// Constants grouped by type and by the hash of their ends.
  std::map<std::pair<const void *, Hash>, SmallVector<ConstantOp, 1>> groups;
  /// The constant to read instead, by name.
  llvm::DenseMap<StringAttr, StringAttr> firstOf;
};

} // namespace
} // namespace glow
