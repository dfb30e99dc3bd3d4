//===- OnnxTensorTest.cpp - tensors in ONNX's TensorProto files -----------===//
// SPDX-License-Identifier: MIT

#include "glow/TensorFiles/OnnxTensor.h"
#include "Helpers.h"
#include "glow/Base/Small.h"
#include <gtest/gtest.h>
#include <onnx/onnx-data_pb.h>
#include <onnx/onnx_pb.h>

using namespace glow;
using onnx::TensorProto;

static TensorProto proto(int32_t type, const Ints &shape) {
  TensorProto tensor;
  tensor.set_name("t");
  tensor.set_data_type(type);
  for (int64_t size : shape)
    tensor.add_dims(size);
  return tensor;
}

static Tensor read(const TensorProto &proto) {
  Result<NamedTensor> tensor = parseOnnxTensor(proto.SerializeAsString());
  EXPECT_TRUE(tensor) << tensor.status().message();
  return tensor ? std::move(tensor->tensor) : Tensor();
}

static Status statusOf(const std::string &bytes) {
  return parseOnnxTensor(bytes).status();
}

TEST(OnnxTensor, ReadsRawData) {
  TensorProto raw = proto(TensorProto::INT16, {2, 2});
  raw.set_raw_data(std::string("\1\0\2\0\3\0\xff\xff", 8));
  EXPECT_EQ(listOf<int16_t>(read(raw)), (std::vector<int16_t>{1, 2, 3, -1}));
}

// Every kind in the field that ONNX says it is in.
TEST(OnnxTensor, ReadsTypedFields) {
  TensorProto f32 = proto(TensorProto::FLOAT, {2});
  f32.add_float_data(1.5);
  f32.add_float_data(-2);
  EXPECT_EQ(listOf<float>(read(f32)), (std::vector<float>{1.5, -2}));
  TensorProto f64 = proto(TensorProto::DOUBLE, {});
  f64.add_double_data(0.1);
  EXPECT_EQ(listOf<double>(read(f64)), std::vector{0.1});
  TensorProto i64 = proto(TensorProto::INT64, {1});
  i64.add_int64_data(-5);
  EXPECT_EQ(listOf<int64_t>(read(i64)), std::vector<int64_t>{-5});
  TensorProto u32 = proto(TensorProto::UINT32, {1});
  u32.add_uint64_data(0xffffffff);
  EXPECT_EQ(listOf<uint32_t>(read(u32)), std::vector<uint32_t>{0xffffffff});
}

TEST(OnnxTensor, ReadsSmallKindsFromInt32Data) {
  auto with = [](int32_t type, int32_t value) {
    TensorProto tensor = proto(type, {1});
    tensor.add_int32_data(value);
    return read(tensor);
  };
  EXPECT_EQ(with(TensorProto::FLOAT16, 0x3e00).elements<Half>()[0], 1.5f);
  EXPECT_EQ(with(TensorProto::BFLOAT16, 0xbfc0).elements<BFloat16>()[0], -1.5f);
  EXPECT_EQ(with(TensorProto::INT8, -7).elements<int8_t>()[0], -7);
  EXPECT_EQ(with(TensorProto::UINT8, 200).elements<uint8_t>()[0], 200);
  EXPECT_EQ(with(TensorProto::UINT16, 60000).elements<uint16_t>()[0], 60000);
  EXPECT_EQ(with(TensorProto::BOOL, 1).elements<bool>()[0], true);
}

// Numbers of TensorProto.DataType that the packaged version does not know.
TEST(OnnxTensor, ReadsElementsThatShareBytes) {
  constexpr int uint4 = 21, int4 = 22, float4 = 23, int2 = 26;
  auto with = [](int32_t type, const std::string &raw, int64_t count) {
    TensorProto tensor = proto(type, {count}), numbers = tensor;
    tensor.set_raw_data(raw);
    for (uint8_t byte : raw)
      numbers.add_int32_data(byte);
    return std::pair(read(tensor), read(numbers));
  };
  auto check = [](const auto &pair, const auto &list) {
    EXPECT_EQ(listOf<std::decay_t<decltype(list[0])>>(pair.first), list);
    EXPECT_EQ(listOf<std::decay_t<decltype(list[0])>>(pair.second), list);
  };
  check(with(uint4, "\x9f\x03", 3), std::vector{UInt4(15), UInt4(9), UInt4(3)});
  check(with(int4, "\x78", 2), std::vector{Int4(-8), Int4(7)});
  check(with(float4, "\xf1", 2),
        std::vector{Float4E2M1FN(0.5), Float4E2M1FN(-6.0)});
  check(with(int2, "\x4e\x01", 5),
        std::vector{Int2(-2), Int2(-1), Int2(0), Int2(1), Int2(1)});
}

// Six bits across the borders of bytes, but a number each in a typed field, of
// which no other bits are taken.
TEST(OnnxTensor, ReadsElementsOfSixBits) {
  const std::vector<uint8_t> codes = {0x01, 0x3f, 0x22, 0x15, 0x2a};
  TensorProto raw = proto(27, {5}), numbers = raw;
  raw.set_raw_data("\xc1\x2f\x56\x2a");
  for (uint8_t code : codes)
    numbers.add_int32_data(code | 0xc0);
  for (const TensorProto &tensor : {raw, numbers}) {
    std::vector<uint8_t> bits;
    for (Float6E2M3FN element : listOf<Float6E2M3FN>(read(tensor)))
      bits.push_back(element.bits);
    EXPECT_EQ(bits, codes);
  }
}

TEST(OnnxTensor, RefusesAnotherNumberOfSharedBytes) {
  TensorProto tensor = proto(22, {3});
  tensor.set_raw_data("\x11\x11\x11");
  EXPECT_EQ(statusOf(tensor.SerializeAsString()).message(),
            "it has 3 bytes of data, its type i4[3] needs 2");
  TensorProto numbers = proto(25, {3});
  numbers.add_int32_data(1);
  numbers.add_int32_data(1);
  EXPECT_EQ(statusOf(numbers.SerializeAsString()).message(),
            "it has 2 elements of data, its shape needs 1");
}

TEST(OnnxTensor, MayHaveNoElements) {
  EXPECT_EQ(read(proto(TensorProto::FLOAT, {0, 4})).type().text(), "f32[0,4]");
}

TEST(OnnxTensor, PassesOverNewerFields) {
  TensorProto tensor = proto(TensorProto::INT8, {1});
  tensor.set_raw_data("\7");
  // Field 16, a message, which the packaged version does not know.
  std::string bytes = tensor.SerializeAsString() + "\x82\x01\x02\x08\x01";
  EXPECT_TRUE(statusOf(bytes).ok());
}

TEST(OnnxTensor, RefusesDataThatDoesNotFillTheShape) {
  TensorProto raw = proto(TensorProto::FLOAT, {2});
  raw.set_raw_data("1234");
  EXPECT_EQ(statusOf(raw.SerializeAsString()).message(),
            "it has 4 bytes of data, its type f32[2] needs 8");
  TensorProto typed = proto(TensorProto::FLOAT, {2});
  typed.add_float_data(1);
  EXPECT_EQ(statusOf(typed.SerializeAsString()).message(),
            "it has 1 elements of data, its shape needs 2");
}

TEST(OnnxTensor, RefusesHugeShapesBeforeTakingMemory) {
  for (int64_t size : {int64_t(1) << 40, int64_t(1) << 62, int64_t(-3)}) {
    Status status =
        statusOf(proto(TensorProto::FLOAT, {size}).SerializeAsString());
    EXPECT_EQ(status.code(), Code::InvalidArgument) << size;
  }
}

TEST(OnnxTensor, RefusesWhatWeHaveNot) {
  EXPECT_EQ(
      statusOf(proto(TensorProto::STRING, {}).SerializeAsString()).message(),
      "string tensors are not supported");
  // COMPLEX64.
  EXPECT_EQ(statusOf(proto(14, {}).SerializeAsString()).message(),
            "ONNX element type 14 is not supported");
  TensorProto external = proto(TensorProto::FLOAT, {1});
  external.set_data_location(TensorProto::EXTERNAL);
  EXPECT_EQ(statusOf(external.SerializeAsString()).message(),
            "its data is in another file, it should be in this one");
}

TEST(OnnxTensor, RefusesSequences) {
  onnx::SequenceProto sequence;
  sequence.set_name("s");
  sequence.set_elem_type(onnx::SequenceProto::TENSOR);
  std::string empty = sequence.SerializeAsString();
  *sequence.add_tensor_values() = proto(TensorProto::FLOAT, {0});
  std::string full = sequence.SerializeAsString();
  for (const std::string &bytes : {empty, full}) {
    EXPECT_EQ(statusOf(bytes).message(),
              "it holds a sequence, it should hold a tensor");
    EXPECT_TRUE(isOnnxSequence(bytes));
  }
}

TEST(OnnxTensor, RefusesEveryBeginning) {
  TensorProto tensor = proto(TensorProto::FLOAT, {3});
  tensor.set_raw_data("123412341234");
  std::string bytes = tensor.SerializeAsString();
  EXPECT_EQ(refusedBeginnings(bytes, parseOnnxTensor), bytes.size());
  survivesDamage(bytes, parseOnnxTensor);
}
