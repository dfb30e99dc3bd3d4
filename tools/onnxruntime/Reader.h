//===- Reader.h - fields of messages ----------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The format of protocol buffers, as Writer.h has it.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_TOOLS_ONNXRUNTIME_READER_H
#define GLOW_TOOLS_ONNXRUNTIME_READER_H

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace glow::ort {

/// Reads `bytes` bytes of a file from `at`. Returns false behind the end.
using ReadPart = std::function<bool(uint64_t at, char *to, size_t bytes)>;

/// Reads bytes that outlive the function.
ReadPart readFrom(std::string_view bytes);

/// A field of a message: an integer, or the place of a text or message.
struct Field {
  int number;
  uint64_t integer;
  uint64_t begin, end;
};

/// The fields of a message. Only their beginnings are read.
class Message {
public:
  Message(const ReadPart &read, uint64_t begin, uint64_t end)
      : read(read), at(begin), end(end) {}

  /// False at the end, and where the bytes are no fields.
  bool next(Field &field);

  Message in(const Field &field) const {
    return Message(read, field.begin, field.end);
  }
  std::string text(const Field &field) const;

private:
  bool number(uint64_t &value);

  const ReadPart &read;
  uint64_t at, end;
};

} // namespace glow::ort

#endif
