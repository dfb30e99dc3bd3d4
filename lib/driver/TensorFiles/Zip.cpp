//===- Zip.cpp - the members of a ZIP archive -----------------------------===//
// SPDX-License-Identifier: MIT

#include "Zip.h"
#include <algorithm>
#include <zlib.h>

using namespace glow;

// Records of the format (PKWARE's APPNOTE): their signatures, and the lengths
// of their fixed parts in bytes.
static constexpr uint32_t localSignature = 0x04034b50, localSize = 30;
static constexpr uint32_t centralSignature = 0x02014b50, centralSize = 46;
static constexpr uint32_t endSignature = 0x06054b50, endSize = 22;
static constexpr uint32_t end64Signature = 0x06064b50, end64Size = 56;
static constexpr uint32_t locatorSignature = 0x07064b50, locatorSize = 20;

// The best ratio of deflate: it codes at most 258 bytes in two bits.
static constexpr uint64_t deflateRatio = 1032;

namespace {

/// Little-endian numbers at offsets of a record, whose bounds were checked.
struct Fields {
  std::string_view bytes;

  template <typename T> T get(size_t offset) const {
    T value = 0;
    for (size_t i = sizeof(T); i-- > 0;)
      value = T(uint64_t(value) << 8 | uint8_t(bytes[offset + i]));
    return value;
  }
  uint64_t u16(size_t offset) const { return get<uint16_t>(offset); }
  uint64_t u32(size_t offset) const { return get<uint32_t>(offset); }
  uint64_t u64(size_t offset) const { return get<uint64_t>(offset); }
};

/// The location of the table of members.
struct Directory {
  uint64_t offset, size, count;
};

} // namespace

static Status invalid(const std::string &what) {
  return Status(Code::InvalidArgument, what);
}

static bool inside(uint64_t offset, uint64_t size, std::string_view bytes) {
  return offset <= bytes.size() && size <= bytes.size() - offset;
}

/// The record at `offset`, if it is complete and has the signature.
static std::optional<Fields> recordAt(std::string_view bytes, uint64_t offset,
                                      uint32_t size, uint32_t signature) {
  if (!inside(offset, size, bytes))
    return std::nullopt;
  Fields record{bytes.substr(offset, size)};
  if (record.u32(0) != signature)
    return std::nullopt;
  return record;
}

static Result<Directory> findDirectory(std::string_view bytes) {
  // The end record is last, except for a comment of up to 65535 bytes.
  std::string_view tail = bytes.substr(
      bytes.size() - std::min<size_t>(bytes.size(), 65535 + endSize));
  size_t found = tail.rfind("PK\x05\x06");
  if (found == std::string_view::npos)
    return invalid(
        "it is no .npz file, or is cut off: it has no ZIP directory");
  uint64_t at = bytes.size() - tail.size() + found;
  std::optional<Fields> end = recordAt(bytes, at, endSize, endSignature);
  if (!end)
    return invalid("it is cut off in its ZIP directory");
  Directory directory{end->u32(16), end->u32(12), end->u16(10)};
  if (at < locatorSize)
    return directory;
  auto locator =
      recordAt(bytes, at - locatorSize, locatorSize, locatorSignature);
  if (!locator)
    return directory;
  auto end64 = recordAt(bytes, locator->u64(8), end64Size, end64Signature);
  if (!end64)
    return invalid("its ZIP64 directory is damaged");
  return Directory{end64->u64(48), end64->u64(40), end64->u64(32)};
}

/// Replaces sizes and the offset by those of the ZIP64 field if all their bits
/// are
/// 1. The field has them in this order.
static void applyZip64(std::string_view extra, uint64_t &unpacked,
                       uint64_t &packed, uint64_t &offset) {
  while (extra.size() >= 4) {
    Fields head{extra};
    size_t size = std::min<size_t>(head.u16(2), extra.size() - 4);
    Fields field{extra.substr(4, size)};
    if (head.u16(0) == 1) {
      size_t at = 0;
      for (uint64_t *value : {&unpacked, &packed, &offset})
        if (*value == 0xffffffff && at + 8 <= size) {
          *value = field.u64(at);
          at += 8;
        }
    }
    extra.remove_prefix(4 + size);
  }
}

/// The member whose directory record is at `at`; moves `at` behind the record.
static Result<ZipMember> memberAt(std::string_view bytes, uint64_t &at) {
  auto record = recordAt(bytes, at, centralSize, centralSignature);
  if (!record)
    return invalid("its ZIP directory is damaged");
  uint64_t nameSize = record->u16(28), extraSize = record->u16(30);
  uint64_t variable = nameSize + extraSize + record->u16(32);
  if (!inside(at + centralSize, variable, bytes))
    return invalid("its ZIP directory is cut off");
  ZipMember member;
  member.name = bytes.substr(at + centralSize, nameSize);
  member.checksum = uint32_t(record->u32(16));
  member.unpackedSize = record->u32(24);
  uint64_t packed = record->u32(20), offset = record->u32(42);
  applyZip64(bytes.substr(at + centralSize + nameSize, extraSize),
             member.unpackedSize, packed, offset);
  at += centralSize + variable;

  uint64_t method = record->u16(10);
  if ((record->u16(8) & 1) || (method != 0 && method != 8))
    return failure(Code::Unsupported, "its member '", member.name,
                   "' is encrypted or packed by method ", method,
                   ", it should be stored or deflated");
  member.deflated = method == 8;
  auto local = recordAt(bytes, offset, localSize, localSignature);
  if (!local)
    return invalid("its member '" + member.name +
                   "' is not where it should be");
  // The local name and extra field may differ in length from the directory's.
  uint64_t data = offset + localSize + local->u16(26) + local->u16(28);
  if (!inside(data, packed, bytes))
    return invalid("its member '" + member.name + "' is cut off");
  member.packed = bytes.substr(data, packed);
  return member;
}

Result<std::vector<ZipMember>> glow::zipMembers(std::string_view bytes) {
  Result<Directory> directory = findDirectory(bytes);
  if (!directory)
    return directory.status();
  std::vector<ZipMember> members;
  uint64_t at = directory->offset;
  for (uint64_t i = 0; i < directory->count; ++i) {
    Result<ZipMember> member = memberAt(bytes, at);
    if (!member)
      return member.status();
    members.push_back(member.take());
  }
  return members;
}

/// Inflates into `out`, as much as fits. Returns the number of bytes, or
/// nullopt when the packed bytes are damaged.
static std::optional<size_t> inflateInto(std::string_view packed,
                                         std::string &out) {
  z_stream stream = {};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK)
    return std::nullopt;
  auto next = [](uint64_t left) {
    return uInt(std::min<uint64_t>(left, 1u << 30));
  };
  size_t taken = 0, made = 0;
  int state = Z_OK;
  while (state == Z_OK && made < out.size()) {
    stream.next_in = reinterpret_cast<Bytef *>(
        const_cast<char *>(packed.data() + taken)); // zlib does not write to it
    stream.next_out = reinterpret_cast<Bytef *>(out.data() + made);
    uInt in = stream.avail_in = next(packed.size() - taken);
    uInt room = stream.avail_out = next(out.size() - made);
    state = inflate(&stream, Z_NO_FLUSH);
    taken += in - stream.avail_in;
    made += room - stream.avail_out;
  }
  inflateEnd(&stream);
  if (state != Z_OK && state != Z_STREAM_END)
    return std::nullopt;
  return made;
}

static uint32_t crcOf(std::string_view bytes) {
  return uint32_t(
      crc32_z(0, reinterpret_cast<const Bytef *>(bytes.data()), bytes.size()));
}

Result<std::string> glow::unzip(const ZipMember &member, uint64_t most) {
  uint64_t size = std::min(member.unpackedSize, most);
  Status damaged =
      invalid("its member '" + member.name + "' is damaged or cut off");
  std::string unpacked;
  if (!member.deflated) {
    if (member.packed.size() != member.unpackedSize)
      return damaged;
    unpacked = member.packed.substr(0, size);
  } else {
    if (member.unpackedSize / deflateRatio > member.packed.size() + 1)
      return damaged;
    unpacked.resize(size);
    if (inflateInto(member.packed, unpacked) != size)
      return damaged;
  }
  if (size == member.unpackedSize && crcOf(unpacked) != member.checksum)
    return damaged;
  return unpacked;
}
