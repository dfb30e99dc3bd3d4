//===- OpenSteps.cpp - the StepInfo of steps in a run ---------------------===//
// SPDX-License-Identifier: MIT
//
// The entry point allocates nothing: the StepInfo of a kernel of the library is
// on its stack, where the next kernel's takes its place.
//
//===----------------------------------------------------------------------===//

#include "EntrySizes.h"

using namespace glow;
using namespace glow::cpu;
using namespace llvm;

/// Words of 8 bytes in the structs of device/Kernel.h.
static constexpr size_t wordsOfInfo = sizeof(StepInfo) / 8,
                        wordsOfShape = sizeof(Shape) / 8,
                        wordsOfAttribute = sizeof(cpu::Attribute) / 8;
static_assert(wordsOfInfo == 5 && wordsOfShape == 3 && wordsOfAttribute == 6);

OpenSteps::OpenSteps(Emitter &code, const BundleEntry &entry, EntrySizes &sizes)
    : code(code), entry(entry), sizes(sizes), constants(*code.module.ir) {
  const std::vector<SizeVariable> &numbered = code.module.sizes;
  size_t most = 0;
  for (auto [step, symbols] :
       zip(entry.native.steps.steps, entry.native.symbols))
    if (isOpen(entry.native.steps, step) && !symbols.measure.empty())
      most = std::max(most, wordsOf(step));
  auto reserve = [&](size_t words) {
    return code.CreateAlloca(ArrayType::get(code.getInt64Ty(), words));
  };
  values = reserve(std::max<size_t>(numbered.size(), 1));
  simple = reserve(wordsOfInfo);
  work = reserve(sizeof(StepWork) / 8);
  frame = most ? reserve(most) : nullptr;
  for (const SizeVariable &variable : numbered)
    if (!is_contained(entry.computed, variable))
      set(variable, sizes.at(Length(variable)));
  code.CreateAlignedStore(
      values, code.bytesAt(simple, offsetof(StepInfo, sizes)), Align(8));
}

void OpenSteps::set(const SizeVariable &variable, Value *size) {
  const std::vector<SizeVariable> &numbered = code.module.sizes;
  auto found = find(numbered, variable);
  if (found != numbered.end())
    code.CreateAlignedStore(
        size, code.bytesAt(values, int64_t(found - numbered.begin()) * 8),
        Align(8));
}

size_t OpenSteps::wordsOf(const Step &step) const {
  size_t words = wordsOfInfo + wordsOfShape * step.buffers.size();
  for (uint32_t buffer : step.buffers)
    words += entry.native.steps.buffers[buffer].type.shape.size();
  if (!step.lists.empty())
    words += wordsOfAttribute * step.attributes.size();
  for (const LengthList &list : step.lists)
    words += list.lengths.size();
  return words;
}

Value *OpenSteps::place(size_t word) {
  return code.bytesAt(frame, int64_t(word) * 8);
}

void OpenSteps::store(Value *value, size_t word) {
  code.CreateAlignedStore(value, place(word), Align(8));
}

Value *OpenSteps::storeSizes(ArrayRef<Length> lengths, size_t &word) {
  Value *address = place(word);
  for (const Length &length : lengths)
    store(sizes.at(length), word++);
  return address;
}

Value *OpenSteps::shapesOf(const Step &step, size_t &word) {
  size_t shape = word;
  Value *address = place(shape);
  word += wordsOfShape * step.buffers.size();
  for (uint32_t number : step.buffers) {
    const BufferPlace &buffer = entry.native.steps.buffers[number];
    store(storeSizes(sizesOf(buffer.type, buffer.lengths), word), shape);
    store(code.integer(int64_t(buffer.type.shape.size())), shape + 1);
    store(code.integer(int64_t(buffer.type.kind)), shape + 2);
    shape += wordsOfShape;
  }
  return address;
}

/// The attributes in constants, with the lists of a run in the place of those
/// of the greatest sizes.
Value *OpenSteps::attributesOf(const Step &step, const StepInfo &info,
                               size_t &word) {
  llvm::Constant *all = constants.attributes(step, info);
  if (step.lists.empty())
    return all;
  size_t first = word;
  uint64_t bytes = wordsOfAttribute * 8 * step.attributes.size();
  code.CreateMemCpy(place(first), Align(8), all, Align(8), bytes);
  word += wordsOfAttribute * step.attributes.size();
  for (const LengthList &list : step.lists)
    store(storeSizes(list.lengths, word),
          first + wordsOfAttribute * list.attribute);
  return place(first);
}

Value *OpenSteps::infoOf(const Step &step, const StepSymbols &symbols) {
  if (symbols.measure.empty())
    return simple;
  OwnedStepInfo owned(step, entry.native.steps.buffers);
  const StepInfo &info = *owned.get();
  size_t word = wordsOfInfo;
  store(shapesOf(step, word), 0);
  store(attributesOf(step, info, word), 1);
  store(constants.integers({info.segments, step.segments.size()}), 2);
  store(code.integer(info.buffers), 3);
  store(values, 4);
  return frame;
}

OpenSteps::Work OpenSteps::measure(StringRef function, Value *info) {
  // The defaults of a measure: one chunk, no scratch.
  for (auto [place, value] : {std::pair(0, 1), std::pair(8, 0)})
    code.CreateAlignedStore(code.integer(value), code.bytesAt(work, place),
                            Align(8));
  auto *type = FunctionType::get(code.getVoidTy(),
                                 {code.getPtrTy(), code.getPtrTy()}, false);
  code.CreateCall(code.module.ir->getOrInsertFunction(function, type),
                  {info, work});
  auto load = [&](int64_t place) {
    return code.CreateAlignedLoad(code.getInt64Ty(), code.bytesAt(work, place),
                                  Align(8));
  };
  return {load(offsetof(StepWork, chunks)),
          load(offsetof(StepWork, scratchBytes))};
}
