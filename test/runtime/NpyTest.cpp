//===- NpyTest.cpp - tensors in .npy files --------------------------------===//
// SPDX-License-Identifier: MIT

#include "Helpers.h"
#include "glow/Base/Small.h"
#include "glow/TensorFiles/Numpy.h"
#include "glow/TensorFiles/TensorFile.h"
#include <gtest/gtest.h>

using namespace glow;

/// An .npy file as numpy would write it, with this dictionary and data.
static std::string npy(const std::string &dictionary, const std::string &data) {
  std::string bytes = "\x93NUMPY";
  bytes += {'\x01', '\x00', char(dictionary.size()), '\x00'};
  return bytes + dictionary + data;
}

static std::string messageOf(const std::string &bytes) {
  Result<Tensor> tensor = parseNpy(bytes);
  return tensor ? "it was read" : tensor.status().message();
}

TEST(Npy, ReadsWhatItWrites) {
  for (ElementKind kind : allElementKinds) {
    Tensor tensor = Tensor::zeros({kind, {2, 3}}).take();
    static_cast<uint8_t *>(tensor.data())[0] = 1;
    Result<Tensor> read = parseNpy(npyBytes(tensor.view()));
    ASSERT_TRUE(read) << name(kind) << ": " << read.status().message();
    EXPECT_EQ(takeAs(kind, *read).message(), "");
    EXPECT_EQ(read->type(), tensor.type());
    EXPECT_EQ(std::string_view(static_cast<char *>(read->data()),
                               tensor.type().bytes()),
              std::string_view(static_cast<char *>(tensor.data()),
                               tensor.type().bytes()));
  }
}

// Numpy has no such kinds: integers keep their numbers, floats their bits.
TEST(Npy, SmallKindsAreBytes) {
  Tensor tensor = tensorOf<Int4>({Int4(-8), Int4(7)});
  Tensor read = parseNpy(npyBytes(tensor.view())).take();
  EXPECT_EQ(listOf<int8_t>(read), (std::vector<int8_t>{-8, 7}));
  EXPECT_TRUE(takeAs(ElementKind::I4, read).ok());
  EXPECT_EQ(float(read.elements<Int4>()[0]), -8);
  Tensor real = tensorOf<Float8E5M2>({Float8E5M2(-2.0)});
  Tensor bits = parseNpy(npyBytes(real.view())).take();
  EXPECT_EQ(listOf<uint8_t>(bits), std::vector<uint8_t>{0xc0});
  EXPECT_TRUE(takeAs(ElementKind::F8E5M2, bits).ok());
  EXPECT_EQ(float(bits.elements<Float8E5M2>()[0]), -2);
}

TEST(Npy, NumbersMustFitASmallKind) {
  Tensor wide = tensorOf<int8_t>({3, -9});
  EXPECT_EQ(takeAs(ElementKind::I4, wide).message(),
            "it holds -9, but i4 has only -8 to 7");
  Tensor many = tensorOf<uint8_t>({4});
  EXPECT_EQ(takeAs(ElementKind::U2, many).message(),
            "it holds 4, but u2 has only 0 to 3");
  Tensor other = tensorOf<uint8_t>({4});
  EXPECT_TRUE(takeAs(ElementKind::I4, other).ok());
  EXPECT_EQ(other.type().kind, ElementKind::U8);
}

TEST(Npy, DataStartsAtMultipleOf64) {
  Tensor tensor = tensorOf<float>({1, 2});
  EXPECT_EQ((npyBytes(tensor.view()).size() - 8) % 64, 0u);
}

TEST(Npy, ScalarsAndEmptyTensors) {
  Tensor scalar = tensorOf<double>({3.25}, {});
  EXPECT_EQ(listOf<double>(parseNpy(npyBytes(scalar.view())).take()),
            std::vector{3.25});
  Tensor empty = tensorOf<uint8_t>({}, {0, 3});
  EXPECT_EQ(parseNpy(npyBytes(empty.view())).take().type(), empty.type());
}

// A transposed array, as numpy saves it.
TEST(Npy, ColumnMajorBecomesRowMajor) {
  std::string bytes = npy("{'descr': '|u1', 'fortran_order': True, "
                          "'shape': (2, 3), }\n",
                          {0, 3, 1, 4, 2, 5});
  Result<Tensor> tensor = parseNpy(bytes);
  ASSERT_TRUE(tensor) << tensor.status().message();
  EXPECT_EQ(listOf<uint8_t>(*tensor), (std::vector<uint8_t>{0, 1, 2, 3, 4, 5}));
}

TEST(Npy, KeysMayComeInAnyOrder) {
  EXPECT_TRUE(parseNpy(npy("{\"shape\":(2,),\"fortran_order\":False,"
                           "\"descr\":\"<u2\"}",
                           "abcd")));
}

TEST(Npy, RefusesOtherElements) {
  auto with = [](const std::string &code) {
    return messageOf(npy("{'descr': " + code +
                             ", 'fortran_order': False, 'shape': (1,), }\n",
                         "01234567"));
  };
  EXPECT_EQ(with("'<c8'"),
            "its elements are '<c8', which is no element kind of ours");
  EXPECT_EQ(with("'|O'"),
            "its elements are '|O', which is no element kind of ours");
  EXPECT_EQ(with("'>f8'"), "its elements '>f8' are big-endian, they should be "
                           "little-endian");
  EXPECT_EQ(with("''"), "its elements have no type: descr is empty");
  for (std::string code : {"<", "f", "f4", "<f", "<f44", "|", " ", "<f4 "})
    EXPECT_EQ(with("'" + code + "'"),
              "its elements are '" + code +
                  "', which is no element kind of ours");
  EXPECT_EQ(with("[('a', '<f4')]"),
            "its elements are records, they should be numbers");
}

TEST(Npy, RefusesWrongSizes) {
  auto with = [](const std::string &shape) {
    return messageOf(npy(
        "{'descr': '<f4', 'fortran_order': False, 'shape': " + shape + ", }\n",
        "01234567"));
  };
  EXPECT_EQ(with("(2,)"), "it was read");
  EXPECT_EQ(with("(3,)"), "it has 8 bytes of data, its type f32[3] needs 12");
  EXPECT_EQ(with("(1,)"), "it has 8 bytes of data, its type f32[1] needs 4");
  EXPECT_EQ(with("(4000000000, 4000000000)"),
            "its shape 4000000000x4000000000 is larger than any memory");
  EXPECT_EQ(with("(-2,)"), "its .npy header cannot be understood");
  EXPECT_EQ(with("(99999999999999999999,)"),
            "its .npy header cannot be understood");
}

TEST(Npy, RefusesWhatItIsNot) {
  EXPECT_EQ(messageOf("PK\x03\x04"),
            "it is no .npy file: its first bytes are not \\x93NUMPY");
  EXPECT_EQ(messageOf(""),
            "it is no .npy file: its first bytes are not \\x93NUMPY");
  std::string bytes = npyBytes(tensorOf<float>({1}).view());
  bytes[6] = 9;
  EXPECT_EQ(messageOf(bytes),
            "its .npy format has version 9, it should be 1 to 3");
}

// A header may have anything in place of what belongs there.
TEST(Npy, RefusesHeadersThatAreNone) {
  std::string header =
      "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }\n";
  for (std::string part : {"{", "'descr'", "'<f4'", ":", "'fortran_order'",
                           "False", "'shape'", "(1,)", "(", "1", ")", "}"})
    for (std::string other : {"", "''", "None", "{", "(", "-1", "9e9", "\"",
                              "'", "True False", ",,", "((", "1"}) {
      std::string damaged = header;
      damaged.replace(damaged.find(part), part.size(), other);
      Result<Tensor> tensor = parseNpy(npy(damaged, "0123"));
      if (damaged == header || tensor)
        continue;
      EXPECT_NE(tensor.status().code(), Code::Internal) << damaged;
      EXPECT_FALSE(tensor.status().message().empty());
    }
}

TEST(Npy, RefusesEveryBeginning) {
  std::string bytes = npyBytes(tensorOf<float>({1, 2, 3}).view());
  EXPECT_EQ(refusedBeginnings(bytes, parseNpy), bytes.size());
}

TEST(Npy, SurvivesDamage) {
  survivesDamage(npyBytes(tensorOf<float>({1, 2, 3}).view()), parseNpy);
}
