//===- Reader.cpp - fields of messages ------------------------------------===//
// SPDX-License-Identifier: MIT

#include "Reader.h"
#include <cstring>

using namespace glow;
using namespace glow::ort;

ReadPart ort::readFrom(std::string_view bytes) {
  return [bytes](uint64_t at, char *to, size_t count) {
    if (at > bytes.size() || count > bytes.size() - at)
      return false;
    std::memcpy(to, bytes.data() + at, count);
    return true;
  };
}

std::string Message::text(const Field &field) const {
  std::string text(field.end - field.begin, '\0');
  return read(field.begin, text.data(), text.size()) ? text : "";
}

bool Message::number(uint64_t &value) {
  value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    char byte;
    if (at >= end || !read(at++, &byte, 1))
      return false;
    value |= uint64_t(byte & 0x7f) << shift;
    if (!(byte & 0x80))
      return true;
  }
  return false;
}

bool Message::next(Field &field) {
  uint64_t key;
  if (!number(key))
    return false;
  field.number = int(key >> 3);
  field.begin = at;
  switch (key & 7) {
  case 0:
    return number(field.integer);
  case 1:
    at += 8;
    break;
  case 2:
    if (!number(field.integer) || field.integer > end - at)
      return false;
    field.begin = at;
    at += field.integer;
    break;
  case 5:
    at += 4;
    break;
  default:
    return false;
  }
  field.end = at;
  return at <= end;
}
