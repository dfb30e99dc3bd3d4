//===- Writer.h - messages of ONNX as bytes ---------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The format of protocol buffers: a message is a sequence of fields, each with
// a number, and either an integer, four bytes or a text. A message within
// another one is a text.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_TOOLS_ONNXRUNTIME_WRITER_H
#define GLOW_TOOLS_ONNXRUNTIME_WRITER_H

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace glow::ort {

class Writer {
public:
  std::string bytes;

  void integer(int field, int64_t value) {
    key(field, 0);
    number(value);
  }
  void real(int field, float value) {
    key(field, 5);
    char raw[sizeof value];
    std::memcpy(raw, &value, sizeof value); // little-endian, as the format
    bytes.append(raw, sizeof raw);
  }
  void text(int field, std::string_view value) {
    key(field, 2);
    number(value.size());
    bytes.append(value);
  }
  /// Writes the fields of a message by `body`, which appends to this writer: no
  /// field is copied.
  template <typename Body> void message(int field, Body body) {
    key(field, 2);
    const size_t begin = bytes.size();
    bytes.append(lengthBytes, '\0');
    body();
    setLength(begin, bytes.size() - begin - lengthBytes);
  }

private:
  /// Bytes of a number of which some may be zeros; enough for 2^35 - 1.
  static constexpr size_t lengthBytes = 5;

  void setLength(size_t at, uint64_t length) {
    for (size_t i = 0; i < lengthBytes; ++i, length >>= 7)
      bytes[at + i] = char(i + 1 < lengthBytes ? length | 0x80 : length);
  }

  void key(int field, int form) { number(uint64_t(field) << 3 | form); }

  /// Seven bits a byte, the lowest first.
  void number(uint64_t value) {
    for (; value >= 0x80; value >>= 7)
      bytes.push_back(char(value | 0x80));
    bytes.push_back(char(value));
  }
};

} // namespace glow::ort

#endif
