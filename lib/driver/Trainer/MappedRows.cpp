//===- MappedRows.cpp - rows of an npy file -------------------------------===//
// SPDX-License-Identifier: MIT

#include "MappedRows.h"
#include "glow/Base/VisitKind.h"
#include "glow/Program/Failure.h"
#include "glow/TensorFiles/Numpy.h"
#include <algorithm>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace glow;

/// A whole file in memory; the pointer is null after a failure, and `error` has
/// the reason.
static std::shared_ptr<const void> mapFile(const std::string &path,
                                           size_t &bytes, std::string &error) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat about;
  if (descriptor < 0 || ::fstat(descriptor, &about) != 0 ||
      !S_ISREG(about.st_mode)) {
    error = descriptor < 0 ? std::strerror(errno) : "it is no regular file";
    if (descriptor >= 0)
      ::close(descriptor);
    return nullptr;
  }
  bytes = size_t(about.st_size);
  void *map =
      bytes ? ::mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, descriptor, 0)
            : MAP_FAILED;
  if (map == MAP_FAILED)
    error = bytes ? std::strerror(errno) : "it is empty";
  ::close(descriptor);
  if (map == MAP_FAILED)
    return nullptr;
  return {map, [bytes](const void *address) {
            ::munmap(const_cast<void *>(address), bytes);
          }};
}

/// Whether elements are numbers of whole bytes.
template <typename T>
static constexpr bool areNumbers =
    (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) ||
    std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>;

static bool isNumber(ElementKind kind) {
  return visitKind(
      kind, []<typename T>(std::type_identity<T>) { return areNumbers<T>; });
}

Result<MappedRows> MappedRows::open(const std::string &path) {
  MappedRows rows;
  rows.thePath = path;
  size_t bytes = 0;
  std::string error;
  rows.map = mapFile(path, bytes, error);
  if (!rows.map)
    return failureOf(Code::NotFound, {"cannot read '", path, "': ", error});
  const std::string_view all(static_cast<const char *>(rows.map.get()), bytes);
  Result<NpyHeader> header =
      parseNpyHeader(all.substr(0, std::min(bytes, longestNpyHeader)));
  if (!header)
    return header.status().prefixed("'" + path + "': ");
  if (header->columnMajor)
    return failureOf(Code::Unsupported,
                     {"'", path,
                      "' is in the order of columns, and should be "
                      "in that of rows, as numpy.ascontiguousarray gives it"});
  rows.theType = header->type;
  if (Status status = rows.check(); !status.ok())
    return status;
  if (bytes - header->dataOffset != header->type.bytes())
    return failureOf(
        Code::InvalidArgument,
        {"'", path, "' has ", std::to_string(bytes - header->dataOffset),
         " bytes of elements, and should have ",
         std::to_string(header->type.bytes()), " for ", header->type.text()});
  rows.data = all.data() + header->dataOffset;
  return rows;
}

Result<MappedRows> MappedRows::of(const std::string &path, TensorView tensor) {
  MappedRows rows;
  rows.thePath = path;
  rows.theType = *tensor.type;
  rows.data = static_cast<const char *>(tensor.data);
  if (Status status = rows.check(); !status.ok())
    return status;
  return rows;
}

/// Checks that there are rows of numbers.
Status MappedRows::check() const {
  if (theType.shape.empty())
    return failureOf(Code::InvalidArgument,
                     {"'", thePath, "' is one number, and should have rows"});
  if (!isNumber(theType.kind))
    return failureOf(Code::Unsupported,
                     {"'", thePath, "' has elements of ",
                      std::string(name(theType.kind)),
                      ", which are no numbers to train with"});
  return Status();
}

/// Converts elements, which need not be aligned in a file.
template <typename To, typename From>
static void convert(To *to, const char *from, int64_t count) {
  if constexpr (std::is_same_v<To, From>) {
    std::memcpy(to, from, size_t(count) * sizeof(From));
  } else {
    for (int64_t i = 0; i < count; ++i) {
      From element;
      std::memcpy(&element, from + size_t(i) * sizeof(From), sizeof(From));
      if constexpr (std::is_arithmetic_v<From>)
        to[i] = To(element);
      else
        to[i] = To(float(element));
    }
  }
}

/// Calls `visit` with the C++ type of a kind of which `isNumber` holds.
template <typename Visit>
static void visitNumber(ElementKind kind, Visit visit) {
  visitKind(kind, [&]<typename T>(std::type_identity<T> type) {
    if constexpr (areNumbers<T>)
      visit(type);
  });
}

Status MappedRows::gather(std::span<const int64_t> wanted,
                          std::optional<uint64_t>, Tensor &into) const {
  const int64_t count = theType.elements() / std::max<int64_t>(1, rows());
  const size_t width = byteSize(theType.kind);
  visitNumber(into.type().kind, [&]<typename To>(std::type_identity<To>) {
    if constexpr (std::is_arithmetic_v<To>) {
      std::span<To> all = into.elements<To>();
      visitNumber(theType.kind, [&]<typename From>(std::type_identity<From>) {
        for (size_t i = 0; i < wanted.size(); ++i)
          convert<To, From>(all.data() + int64_t(i) * count,
                            data + size_t(wanted[i] * count) * width, count);
      });
      std::fill(all.begin() + int64_t(wanted.size()) * count, all.end(), To());
    }
  });
  return Status();
}

int64_t MappedRows::integer(int64_t index) const {
  int64_t value = 0;
  visitNumber(theType.kind, [&]<typename From>(std::type_identity<From>) {
    convert<int64_t, From>(&value, data + size_t(index) * sizeof(From), 1);
  });
  return value;
}
