//===- FlatImageTest.cpp - code that needs no linker ----------------------===//
// SPDX-License-Identifier: MIT

#include "device/FlatImage.h"
#include <gtest/gtest.h>

using namespace glow;

TEST(FlatImage, refuses_what_lies_outside) {
  using cpu::FlatCode, cpu::FlatImage;
  FlatCode code;
  EXPECT_FALSE(FlatImage::load(code)) << "no bytes";
  code.bytes.assign(64, '\0');
  code.symbols = {{"f", 8}};
  auto image = FlatImage::load(code);
  ASSERT_TRUE(image);
  EXPECT_NE((*image)->find("f"), nullptr);
  EXPECT_EQ((*image)->find("g"), nullptr);
  for (auto change : std::initializer_list<void (*)(FlatCode &)>{
           [](FlatCode &code) { code.symbols = {{"f", 64}}; },
           [](FlatCode &code) { code.imports = {{"memcpy", 57}}; },
           [](FlatCode &code) { code.imports = {{"no_such_thing", 0}}; },
           [](FlatCode &code) { code.addresses = {{57, 0}}; },
           [](FlatCode &code) { code.addresses = {{0, 65}}; }}) {
    FlatCode other = code;
    change(other);
    EXPECT_FALSE(FlatImage::load(other));
  }
}
