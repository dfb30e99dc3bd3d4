//===- NpzTest.cpp - tensors in .npz files --------------------------------===//
// SPDX-License-Identifier: MIT

#include "Helpers.h"
#include "glow/TensorFiles/Numpy.h"
#include <gtest/gtest.h>
#include <zlib.h>

using namespace glow;

namespace {

std::string little(uint64_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i)
    text += char(value >> 8 * i);
  return text;
}

/// A ZIP archive as numpy.savez makes one.
class Archive {
public:
  /// `claimed` is the size that the archive says the member has.
  Archive &add(const std::string &name, const std::string &bytes,
               std::optional<uint64_t> claimed = {}) {
    uint32_t sum = uint32_t(crc32_z(
        0, reinterpret_cast<const Bytef *>(bytes.data()), bytes.size()));
    std::string sizes = little(sum, 4) + little(bytes.size(), 4) +
                        little(claimed.value_or(bytes.size()), 4) +
                        little(name.size(), 2) + little(0, 2);
    std::string head =
        little(20, 2) + little(0, 2) + little(0, 2) + little(0, 4) + sizes;
    central += "PK\x01\x02" + little(20, 2) + head + little(0, 2) +
               little(0, 2) + little(0, 2) + little(0, 4) +
               little(body.size(), 4) + name;
    body += "PK\x03\x04" + head + name + bytes;
    ++count;
    return *this;
  }

  std::string bytes() const {
    return body + central + "PK\x05\x06" + little(0, 4) + little(count, 2) +
           little(count, 2) + little(central.size(), 4) +
           little(body.size(), 4) + little(0, 2);
  }

private:
  std::string body, central;
  int count = 0;
};

std::string fromHex(std::string_view hex) {
  std::string bytes;
  for (size_t i = 0; i + 1 < hex.size(); i += 2)
    bytes += char(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
  return bytes;
}

std::string twoArrays() {
  return Archive()
      .add("weights.npy", npyBytes(tensorOf<float>({1, 2, 3}).view()))
      .add("bias.npy", npyBytes(tensorOf<int64_t>({7}).view()))
      .bytes();
}

/// Forty zeros called z, as numpy.savez_compressed wrote them.
const std::string deflated = fromHex(
    "504b0304140000000800000021000e489fc74800000020010000050014007a2e6e7079"
    "01001000200100000000000048000000000000009bec17ea1b10c9c850c650ad9e925a"
    "9c5ca46ea5a06e9366a2aea3a09e965f54529498179f5f94920a12774bcc294e058a17"
    "672416a402f91a26063a9a3a0ab50ae4032e86410e00504b0102140314000000080000"
    "0021000e489fc748000000200100000500000000000000000000008001000000007a2e"
    "6e7079504b05060000000001000100330000007f0000000000");

std::string messageOf(const std::string &bytes) {
  auto tensors = parseNpz(bytes);
  return tensors ? "it was read" : tensors.status().message();
}

} // namespace

TEST(Npz, ReadsStoredArrays) {
  auto tensors = parseNpz(twoArrays());
  ASSERT_TRUE(tensors) << tensors.status().message();
  ASSERT_EQ(tensors->size(), 2u);
  EXPECT_EQ((*tensors)[0].name, "weights");
  EXPECT_EQ(listOf<float>((*tensors)[0].tensor), (std::vector<float>{1, 2, 3}));
  EXPECT_EQ(listOf<int64_t>((*tensors)[1].tensor), std::vector<int64_t>{7});
}

TEST(Npz, ReadsDeflatedArrays) {
  auto tensors = parseNpz(deflated);
  ASSERT_TRUE(tensors) << tensors.status().message();
  EXPECT_EQ(listOf<float>((*tensors)[0].tensor), std::vector<float>(40));
}

TEST(Npz, ReadsOneOfSeveral) {
  auto tensors = parseNpz(twoArrays(), "bias");
  ASSERT_TRUE(tensors);
  EXPECT_EQ(tensors->size(), 1u);
  auto missing = parseNpz(twoArrays(), "scale");
  EXPECT_EQ(missing.status().code(), Code::NotFound);
  EXPECT_EQ(missing.status().message(),
            "it has no array 'scale'; its arrays are 'weights', 'bias'");
}

TEST(Npz, ChecksumIsChecked) {
  std::string bytes = twoArrays();
  size_t data = bytes.find("PK\x03\x04", 4) - 1; // last byte of the first
  bytes[data] = char(bytes[data] ^ 1);
  EXPECT_EQ(messageOf(bytes),
            "array 'weights': its member 'weights.npy' is damaged or cut off");
}

// The size comes from a header that may say anything; memory must not.
TEST(Npz, ClaimsAreNotBelieved) {
  std::string npy = npyBytes(tensorOf<float>({1, 2, 3}).view());
  EXPECT_NE(messageOf(Archive().add("a.npy", npy, 0xfffffff0).bytes()),
            "it was read");
  std::string claimed = deflated;
  size_t size = claimed.rfind("\x20\x01"); // the unpacked size, 288
  claimed.replace(size, 4, "\xf0\xff\xff\x7f");
  EXPECT_NE(messageOf(claimed), "it was read");
}

TEST(Npz, RefusesWhatItIsNot) {
  EXPECT_EQ(messageOf("hello"), "it is no .npz file, or is cut off: it has no "
                                "ZIP directory");
  EXPECT_EQ(
      messageOf(Archive().add("a.npy", "hello").bytes()),
      "array 'a': it is no .npy file: its first bytes are not \\x93NUMPY");
}

TEST(Npz, RefusesEveryBeginning) {
  for (const std::string &bytes : {twoArrays(), deflated})
    EXPECT_EQ(refusedBeginnings(bytes,
                                [](std::string_view b) { return parseNpz(b); }),
              bytes.size());
}

TEST(Npz, SurvivesDamage) {
  for (const std::string &bytes : {twoArrays(), deflated})
    survivesDamage(bytes, [](std::string_view b) { return parseNpz(b); });
}
