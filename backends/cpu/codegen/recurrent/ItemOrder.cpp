//===- ItemOrder.cpp - sequences of different lengths ---------------------===//
// SPDX-License-Identifier: MIT
//
// Items are sorted by counting. The memory has three lists of i64: `starts`,
// the number of items that are at least as long, for each length; `lengths`, by
// item; `order`, the items.
//
//===----------------------------------------------------------------------===//

#include "ItemOrder.h"
#include "codegen/emit/OpenSizes.h"

using namespace glow;
using namespace glow::cpu;
using namespace llvm;

ItemOrder::ItemOrder(const Operand &lengths, const Operand &out, int64_t place)
    : lengths(lengths), out(out), place((place + 7) / 8 * 8),
      steps(out.shape()[0]), items(out.shape()[2]) {}

int64_t ItemOrder::end() const { return place + (steps + 1 + 2 * items) * 8; }

/// An element of the list that begins at element `list` of the memory.
Value *ItemOrder::address(Emitter &code, int64_t list, Value *index) const {
  return code.bytesAt(code.bytesAt(code.buffer(out.shared()), place + list * 8),
                      code.times(index, 8));
}
Value *ItemOrder::load(Emitter &code, Value *pointer) const {
  return code.CreateAlignedLoad(code.getInt64Ty(), pointer, Align(8));
}
void ItemOrder::store(Emitter &code, Value *value, Value *pointer) const {
  code.CreateAlignedStore(value, pointer, Align(8));
}

Value *ItemOrder::itemsOf(Emitter &code, Value *step) const {
  return load(code, address(code, 0, code.add(step, code.integer(1))));
}
Value *ItemOrder::lengthOf(Emitter &code, Value *item) const {
  return load(code, address(code, steps + 1, item));
}
Value *ItemOrder::itemAt(Emitter &code, Value *rank) const {
  return load(code, address(code, steps + 1 + items, rank));
}

/// Reads a length of the operand and sets the flag if it is out of range.
Value *ItemOrder::takeLength(Emitter &code, Value *item) const {
  Value *given = code.CreateSExt(
      code.CreateAlignedLoad(
          code.getInt32Ty(),
          code.bytesAt(code.buffer(lengths), code.times(item, 4)), Align(4)),
      code.getInt64Ty());
  Value *length =
      code.larger(code.integer(0),
                  code.smaller(given, valueOf(code, out.sizes()[0].length())));
  code.when(code.CreateICmpNE(length, given),
            [&] { store(code, code.integer(1), code.buffer(out.shared())); });
  return length;
}

void ItemOrder::fill(Emitter &code) const {
  Value *none = code.integer(0),
        *count = valueOf(code, out.sizes()[2].length()),
        *counts =
            code.add(valueOf(code, out.sizes()[0].length()), code.integer(1));
  auto each = [&](Value *end, function_ref<void(Value *)> body) {
    code.loop(none, end, body, /*maybeNone=*/true);
  };
  auto increment = [&](Value *pointer) {
    Value *before = load(code, pointer);
    store(code, code.add(before, code.integer(1)), pointer);
    return before;
  };
  each(counts,
       [&](Value *length) { store(code, none, address(code, 0, length)); });
  each(count, [&](Value *item) {
    Value *length = takeLength(code, item);
    store(code, length, address(code, steps + 1, item));
    increment(address(code, 0, length));
  });
  // An item's place is behind all longer ones.
  code.loop(none, counts, {none}, [&](Value *i, Emitter::Values longer) {
    Value *start = address(
        code, 0, code.CreateSub(code.CreateSub(counts, code.integer(1)), i));
    Value *equal = load(code, start);
    store(code, longer[0], start);
    return Emitter::Values{code.add(longer[0], equal)};
  });
  each(count, [&](Value *item) {
    Value *rank = increment(address(code, 0, lengthOf(code, item)));
    store(code, item, address(code, steps + 1 + items, rank));
  });
}
