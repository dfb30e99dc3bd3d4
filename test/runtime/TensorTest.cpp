//===- TensorTest.cpp - element kinds, types, owned tensors ---------------===//
// SPDX-License-Identifier: MIT

#include "glow/Values/Tensor.h"
#include "glow/Base/Memory.h"
#include "glow/Base/VisitKind.h"
#include "glow/Values/MemoryBudget.h"
#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

using namespace glow;

TEST(ElementKind, NamesAreReadBack) {
  for (ElementKind kind : allElementKinds) {
    EXPECT_EQ(elementKindNamed(name(kind)), kind);
    size_t size = visitKind(
        kind, []<typename T>(std::type_identity<T>) { return sizeof(T); });
    EXPECT_EQ(byteSize(kind), size);
    EXPECT_EQ(visitKind(kind,
                        []<typename T>(std::type_identity<T>) {
                          return kindOf<T>();
                        }),
              kind);
  }
  EXPECT_FALSE(elementKindNamed("float"));
}

TEST(Ints, ProductIsChecked) {
  EXPECT_EQ(checkedProduct(Ints{}), 1);
  EXPECT_EQ(checkedProduct(Ints{2, 3}), 6);
  EXPECT_EQ(checkedProduct(Ints{int64_t(1) << 40, int64_t(1) << 40, 0}), 0);
  EXPECT_FALSE(checkedProduct(Ints{int64_t(1) << 40, int64_t(1) << 40}));
  EXPECT_FALSE(checkedProduct(Ints{0, -1}));
}

TEST(TensorType, KnowsItsSize) {
  TensorType type{ElementKind::F16, {2, 3}};
  EXPECT_EQ(type.text(), "f16[2,3]");
  EXPECT_EQ(type.bytes(), 12u);
  EXPECT_EQ((TensorType{ElementKind::F32, {}}).elements(), 1);
  EXPECT_EQ((TensorType{ElementKind::F32, {}}).text(), "f32[]");
}

// The elements fit in 63 bits, their bytes do not.
TEST(TensorType, TooManyBytesAreNotStatic) {
  TensorType type{ElementKind::F64, {int64_t(1) << 61}};
  EXPECT_FALSE(type.isStatic());
  EXPECT_EQ(type.bytes(), 0u);
  EXPECT_FALSE(Tensor::zeros(type));
}

TEST(Tensor, IsAlignedAndZero) {
  Result<Tensor> tensor = Tensor::zeros({ElementKind::I32, {1000}});
  ASSERT_TRUE(tensor);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(tensor->data()) % 64, 0u);
  for (int32_t element : tensor->elements<int32_t>())
    EXPECT_EQ(element, 0);
}

// Loops over the other sizes would go round all the same.
TEST(TensorType, TooManyPlacesForNoElementsAreNotStatic) {
  EXPECT_TRUE((TensorType{ElementKind::F32, {1 << 20, 0, 16}}).isStatic());
  EXPECT_FALSE((TensorType{ElementKind::F32, {1 << 20, 0, 1024}}).isStatic());
  int64_t large = int64_t(1) << 40;
  EXPECT_FALSE((TensorType{ElementKind::F32, {large, 0, large}}).isStatic());
}

// Memory that is allocated under a budget counts until it is freed.
TEST(GuardedMemory, EndsAProcessThatWritesBehindATensor) {
  auto writeAt = [](size_t place) {
    GuardedMemory guard;
    std::shared_ptr<void> memory = zeroedMemory(100);
    static_cast<volatile char *>(memory.get())[place] = 1;
  };
  writeAt(99);
  EXPECT_DEATH(writeAt(100), "memory behind the end of a tensor was written");
  EXPECT_DEATH(writeAt(128), "");
}

TEST(MemoryBudget, RefusesMoreThanItsLimit) {
  MemoryBudget budget(100000);
  TensorType type{ElementKind::U8, {60000}};
  EXPECT_TRUE(MemoryBudget::check(uint64_t(1) << 60).ok());
  Tensor kept;
  {
    MemoryBudget::Use use(budget);
    Result<Tensor> first = Tensor::zeros(type);
    ASSERT_TRUE(first);
    Result<Tensor> second = Tensor::zeros(type);
    ASSERT_FALSE(second);
    EXPECT_EQ(second.status().code(), Code::OutOfMemory);
    EXPECT_EQ(second.status().message(),
              "no memory for a tensor of type u8[60000]: 58.8 KiB are needed, "
              "and the values of the run take 58.8 KiB; the limit is 97.7 KiB: "
              "give another memory-limit");
    kept = first.take();
  }
  EXPECT_TRUE(Tensor::zeros(type));
  MemoryBudget::Use again(budget);
  EXPECT_FALSE(Tensor::zeros(type));
  kept = Tensor();
  EXPECT_TRUE(Tensor::zeros(type));
  EXPECT_FALSE(MemoryBudget::check(UINT64_MAX).ok());
}

// The budget of the whole counts, not that of a part.
TEST(MemoryBudget, OfTheWholeIsUsed) {
  MemoryBudget whole(1000), part(1000000);
  MemoryBudget::Use outer(whole), inner(part);
  EXPECT_FALSE(MemoryBudget::check(2000).ok());
  Result<MemoryBudget::Share> share = MemoryBudget::take(800);
  ASSERT_TRUE(share);
  EXPECT_FALSE(MemoryBudget::check(300).ok());
  share = MemoryBudget::Share();
  EXPECT_TRUE(MemoryBudget::check(300).ok());
}

TEST(Tensor, TooLargeIsOutOfMemory) {
  Result<Tensor> tensor = Tensor::zeros({ElementKind::U8, {int64_t(1) << 60}});
  ASSERT_FALSE(tensor);
  EXPECT_EQ(tensor.status().code(), Code::OutOfMemory);
}

TEST(Tensor, MayHaveNoElements) {
  Result<Tensor> tensor = Tensor::zeros({ElementKind::F32, {3, 0}});
  ASSERT_TRUE(tensor);
  EXPECT_TRUE(tensor->elements<float>().empty());
  EXPECT_TRUE(Tensor::copyOf(tensor->view()));
}

TEST(Tensor, IsReinterpretedOnlyAtOneSize) {
  Result<Tensor> tensor = Tensor::zeros({ElementKind::U16, {2}});
  tensor->elements<uint16_t>()[0] = 0x3fc0;
  EXPECT_TRUE(tensor->reinterpret(ElementKind::BF16).ok());
  EXPECT_EQ(float(tensor->elements<BFloat16>()[0]), 1.5f);
  EXPECT_EQ(tensor->reinterpret(ElementKind::F32).message(),
            "elements of bf16 cannot be taken as f32");
}

TEST(Tensor, IsReshapedOnlyToAsManyElements) {
  Result<Tensor> tensor = Tensor::zeros({ElementKind::F32, {2, 3}});
  EXPECT_TRUE(tensor->reshape({6}).ok());
  Status status = tensor->reshape({5});
  EXPECT_EQ(status.message(), "a tensor of type f32[6] cannot be seen as "
                              "f32[5]");
  EXPECT_EQ(tensor->type().shape, Ints{6});
}

TEST(Memory, IsReusedWhileAskedTo) {
  constexpr size_t size = size_t(1) << 20;
  /// Whether a block that is given back comes again for the next one; else the
  /// system must have it.
  auto comesAgain = [&](size_t next) {
    std::shared_ptr<void> memory = zeroedMemory(size);
    std::memset(memory.get(), 1, size);
    void *address = memory.get();
    memory.reset();
    void *other =
        ::mmap(address, size, PROT_NONE,
               MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    memory = zeroedMemory(next);
    auto *bytes = static_cast<const char *>(memory.get());
    EXPECT_EQ(std::count(bytes, bytes + next, 0), std::ptrdiff_t(next));
    if (other == address)
      ::munmap(other, size);
    return other != address && memory.get() == address;
  };
  EXPECT_FALSE(comesAgain(size));
  {
    MemoryReuse reuse;
    EXPECT_TRUE(comesAgain(size));
    EXPECT_TRUE(comesAgain(size * 3 / 4));
    EXPECT_FALSE(comesAgain(size / 2)); // half of it would lie idle
    EXPECT_FALSE(comesAgain(size * 2));
  }
  EXPECT_FALSE(comesAgain(size));
}

// The heap of a sanitizer does not grow by sbrk.
#if defined(__GLIBC__) && !__has_feature(address_sanitizer) &&                 \
    !__has_feature(thread_sanitizer)
/// Ends a process of its own, with 0 if all is well.
static void fillHeap() {
  growHeapInSteps();
  // One step of the heap holds many small blocks.
  auto *end = static_cast<char *>(::sbrk(0));
  std::vector<std::string> blocks(64, std::string(size_t(100) << 10, 'x'));
  bool isInside = end == ::sbrk(0);
  for (const std::string &block : blocks)
    isInside &=
        block.data() < end && block.find_first_not_of('x') == block.npos;
  std::exit(isInside ? 0 : 1);
}
TEST(Memory, HeapGrowsInSteps) {
  // A new process: its heap has no blocks that others freed.
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(fillHeap(), testing::ExitedWithCode(0), "");
}
#endif
