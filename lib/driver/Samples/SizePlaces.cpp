//===- SizePlaces.cpp - sizes of a sample that vary together --------------===//
// SPDX-License-Identifier: MIT

#include "SizePlaces.h"

using namespace glow;

static void forEachSize(llvm::ArrayRef<OperandText> operands,
                        llvm::function_ref<void(SizePlace, int64_t)> visit) {
  for (auto [i, operand] : llvm::enumerate(operands))
    if (!operand.constant)
      for (auto [axis, size] : llvm::enumerate(operand.type.getShape()))
        if (size)
          visit({i, axis}, size);
}

std::set<SizePlaces> glow::tiedPlaces(llvm::ArrayRef<OperandText> operands) {
  auto chosen = [&](llvm::function_ref<bool(SizePlace, int64_t)> isChosen) {
    SizePlaces places;
    forEachSize(operands, [&](SizePlace place, int64_t size) {
      if (isChosen(place, size))
        places.insert(place);
    });
    return places;
  };
  std::set<SizePlaces> result;
  forEachSize(operands, [&](SizePlace place, int64_t size) {
    result.insert({place});
    result.insert(chosen([&](SizePlace, int64_t s) { return s == size; }));
    result.insert(chosen([&](SizePlace other, int64_t s) {
      return s == size && other.second == place.second;
    }));
    if (size > 1)
      result.insert(chosen([&](SizePlace, int64_t s) { return !(s % size); }));
  });
  return result;
}
