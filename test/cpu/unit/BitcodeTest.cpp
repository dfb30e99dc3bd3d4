//===- BitcodeTest.cpp - names of tables in the bitcode -------------------===//
// SPDX-License-Identifier: MIT

#include "common/Library.h"
#include "device/PrecompiledKernels.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>

using namespace glow;
using namespace glow::cpu;

namespace {

class Bitcode : public testing::Test {
protected:
  void SetUp() override {
    std::span<const char> bytes = libraryBitcode();
    auto read = llvm::parseBitcodeFile(
        {{bytes.data(), bytes.size()}, "library"}, context);
    ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
    module = std::move(*read);
  }
  const llvm::Function *find(std::string_view name) {
    const llvm::Function *function = module->getFunction(name);
    return function && !function->isDeclaration() ? function : nullptr;
  }
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
};

/// A compiler cache would keep an old one.
TEST_F(Bitcode, is_what_was_built) {
  std::ifstream file(GLOW_CPU_LIBRARY_BITCODE, std::ios::binary);
  std::string bytes(std::istreambuf_iterator<char>(file), {});
  std::span<const char> embedded = libraryBitcode();
  EXPECT_TRUE(std::ranges::equal(bytes, embedded));
}

TEST_F(Bitcode, has_every_kernel) {
  EXPECT_FALSE(libraryKernels().empty());
  for (const LibraryKernel &kernel : libraryKernels()) {
    const llvm::Function *run = find(kernel.function);
    const llvm::Function *work = find(std::string(kernel.function) + "_work");
    ASSERT_TRUE(run && work) << kernel.function;
    EXPECT_EQ(run->arg_size(), 5u) << kernel.function;
    EXPECT_EQ(work->arg_size(), 2u) << kernel.function;
    EXPECT_EQ(findLibraryKernel(kernel.mnemonic, kernel.kind, kernel.kind),
              &kernel);
  }
}

/// A vector is passed by value if it is one AVX-512 register, else by address.
TEST_F(Bitcode, has_every_scalar_function) {
  EXPECT_FALSE(scalarFunctions().empty());
  for (const auto &[function, kind] : scalarFunctions()) {
    std::string name = scalarFunction(function, kind);
    const llvm::Function *found = find(name);
    ASSERT_TRUE(found) << name;
    EXPECT_TRUE(found->hasFnAttribute(llvm::Attribute::AlwaysInline));
    bool wide = kind != ElementKind::F32;
    EXPECT_GE(found->arg_size(), 1u + wide) << name;
    EXPECT_EQ(found->getReturnType()->isVoidTy(), wide) << name;
    for (const llvm::Argument &argument : found->args()) {
      EXPECT_EQ(argument.getType()->isPointerTy(), wide) << name;
      EXPECT_EQ(argument.getType()->isVectorTy(), !wide) << name;
    }
    EXPECT_TRUE(hasScalarFunction(function, kind)) << name;
  }
  EXPECT_FALSE(hasScalarFunction("exp", ElementKind::I64));
}

TEST_F(Bitcode, has_every_cast) {
  constexpr ElementKind kinds[] = {ElementKind::F32, ElementKind::I32,
                                   ElementKind::I64, ElementKind::Bool,
                                   ElementKind::I8,  ElementKind::U8};
  for (ElementKind from : kinds)
    for (ElementKind to : kinds)
      if (from != to)
        EXPECT_TRUE(find(castFunction(from, to))) << castFunction(from, to);
}

/// The functions on elements that emitted code calls need no kernels.
TEST_F(Bitcode, has_functions_on_their_own) {
  std::span<const char> bytes = functionBitcode();
  auto read = llvm::parseBitcodeFile(
      {{bytes.data(), bytes.size()}, "functions"}, context);
  ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
  module = std::move(*read);
  for (const auto &[function, kind] : scalarFunctions())
    EXPECT_TRUE(find(scalarFunction(function, kind))) << function;
  EXPECT_TRUE(find(castFunction(ElementKind::U8, ElementKind::F32)));
  EXPECT_FALSE(find("softmax_f32"));
}

/// Only what every target has, or what a C library has anyway: functions of
/// doubles.
TEST_F(Bitcode, needs_nothing_from_outside) {
  const llvm::StringSet<> known = {"exp",   "log",   "tan",  "asin", "acos",
                                   "atan",  "sinh",  "cosh", "tanh", "acosh",
                                   "asinh", "atanh", "erf",  "erfc", "expm1",
                                   "fmod",  "log1p", "pow"};
  for (const llvm::Function &function : *module)
    if (function.isDeclaration() && !function.isIntrinsic() &&
        !known.contains(function.getName()))
      ADD_FAILURE() << function.getName().str();
  EXPECT_FALSE(module->getGlobalVariable("llvm.global_ctors"));
}

/// The precompiled tables list the library's kernels, for each level.
TEST(Precompiled, has_every_kernel) {
#if defined(__x86_64__)
  for (const PrecompiledKernel *table :
       {glow_precompiled_v3, glow_precompiled_v4})
    for (const LibraryKernel &kernel : libraryKernels()) {
      ASSERT_TRUE(table->name) << kernel.function;
      EXPECT_EQ(table->name, kernel.function);
      EXPECT_TRUE(table->run && table->measure);
      ++table;
    }
#endif
}

} // namespace
