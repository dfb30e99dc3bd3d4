//===- StorageTest.cpp - bytes of constants -------------------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Graph/Storage.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include <cstring>
#include <gtest/gtest.h>

using namespace mlir;
using namespace glow;

TEST(Storage, BytesAreAligned) {
  MLIRContext context;
  auto type = RankedTensorType::get({2}, Builder(&context).getF32Type());
  alignas(float) char place[1 + 2 * sizeof(float)] = {};
  const float values[] = {1.5f, -2.0f};
  std::memcpy(place + 1, values, sizeof values);
  ArrayRef<char> bytes(place + 1, sizeof values);
  auto blob = UnmanagedAsmResourceBlob::allocateWithAlign(bytes, 1);
  TensorBytes read =
      bytesOf(DenseResourceElementsAttr::get(type, "w", std::move(blob)));
  EXPECT_EQ(uintptr_t(read.bytes.data()) % alignof(float), 0u);
  EXPECT_EQ(std::memcmp(read.bytes.data(), values, sizeof values), 0);
}

TEST(Storage, AlignedBytesAreNotCopied) {
  MLIRContext context;
  auto type = RankedTensorType::get({2}, Builder(&context).getF32Type());
  const float values[] = {1.5f, -2.0f};
  ArrayRef<char> bytes(reinterpret_cast<const char *>(values), sizeof values);
  TensorBytes read = bytesOf(elementsOf(type, {bytes, nullptr}, "w"));
  EXPECT_EQ(read.bytes.data(), bytes.data());
}
