//===- Archive.cpp - a ZIP archive that is written ------------------------===//
// SPDX-License-Identifier: MIT
//
// The format is that of PKWARE's APPNOTE, version 2.0: no ZIP64, no encryption.
//
//===----------------------------------------------------------------------===//

#include "Archive.h"
#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <zlib.h>

using namespace glow;

static constexpr uint64_t mostBytes = UINT32_MAX;

/// The first second that an archive can have: that of 1980.
static constexpr long long firstSecond = 315532800;

static void put(std::string &bytes, uint64_t value, int size) {
  for (int i = 0; i < size; ++i)
    bytes += char(value >> 8 * i);
}

/// The time of all files, in the form of MS-DOS: the date in the upper half.
static uint32_t timeOfFiles() {
  const char *text = std::getenv("SOURCE_DATE_EPOCH");
  const time_t seconds =
      std::max(text ? std::atoll(text) : firstSecond, firstSecond);
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  return uint32_t(parts.tm_year - 80) << 25 | uint32_t(parts.tm_mon + 1) << 21 |
         uint32_t(parts.tm_mday) << 16 | uint32_t(parts.tm_hour) << 11 |
         uint32_t(parts.tm_min) << 5 | uint32_t(parts.tm_sec / 2);
}

static Result<std::string> deflated(std::string_view bytes) {
  z_stream stream{};
  constexpr int plain = -15; // no header of zlib
  if (::deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, plain,
                     /*memLevel=*/8, Z_DEFAULT_STRATEGY) != Z_OK)
    return Status(Code::OutOfMemory, "there is no memory for zlib");
  std::string packed(::deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(bytes.data()));
  stream.avail_in = uInt(bytes.size());
  stream.next_out = reinterpret_cast<Bytef *>(packed.data());
  stream.avail_out = uInt(packed.size());
  const int status = ::deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  ::deflateEnd(&stream);
  if (status != Z_STREAM_END)
    return Status(Code::Internal, "zlib has not compressed all bytes");
  return packed;
}

/// The fields that stand before a file and in the table of contents.
static std::string fieldsOf(const std::string &name, std::string_view bytes,
                            const std::string &packed) {
  std::string fields;
  put(fields, 20, 2); // the version that is needed
  put(fields, 0, 2);
  put(fields, Z_DEFLATED, 2);
  put(fields, timeOfFiles(), 4);
  put(fields,
      ::crc32_z(0, reinterpret_cast<const Bytef *>(bytes.data()), bytes.size()),
      4);
  put(fields, packed.size(), 4);
  put(fields, bytes.size(), 4);
  put(fields, name.size(), 2);
  put(fields, 0, 2);
  return fields;
}

Status Archive::add(const std::string &name, std::string_view bytes,
                    bool isExecutable) {
  constexpr uint64_t rest = 1 << 20; // headers and the table of contents
  if (bytes.size() + rest > mostBytes)
    return failure(Code::Unsupported, "'", name, "' has ", bytes.size(),
                   " bytes, a file of a wheel has at most ", mostBytes - rest);
  Result<std::string> packed = deflated(bytes);
  if (!packed)
    return packed.status();
  if (written + packed->size() + rest > mostBytes)
    return failure(Code::Unsupported, "the wheel would have more than ",
                   mostBytes - rest, " bytes with '", name, "'");
  const std::string fields = fieldsOf(name, bytes, *packed);
  constexpr uint64_t system = 3, regular = 0100000; // of Unix
  directory += "PK\x01\x02";
  put(directory, system << 8 | 20, 2);
  directory += fields;
  put(directory, 0, 6); // comment, disk, internal attributes
  put(directory, (regular | (isExecutable ? 0755 : 0644)) << 16, 4);
  put(directory, written, 4);
  directory += name;
  ++count;
  for (const std::string &part : {"PK\x03\x04" + fields, name, *packed}) {
    file.write(part);
    written += part.size();
  }
  return file.status();
}

Status Archive::finish() {
  std::string end = "PK\x05\x06";
  put(end, 0, 4);
  put(end, count, 2);
  put(end, count, 2);
  put(end, directory.size(), 4);
  put(end, written, 4);
  put(end, 0, 2);
  file.write(directory);
  file.write(end);
  return file.finish(usualPermissions());
}
