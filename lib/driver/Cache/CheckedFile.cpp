//===- CheckedFile.cpp - files of the cache with a checksum ---------------===//
// SPDX-License-Identifier: MIT

#include "CheckedFile.h"
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>

using namespace glow;

bool FileHeader::fits(uint64_t size) const {
  if (constantsAt < sizeof(FileHeader) || constantsAt > size)
    return false;
  uint64_t rest = constantsAt - sizeof(FileHeader);
  for (uint64_t part : {descriptionBytes, labelBytes, weightsBytes}) {
    if (part > rest)
      return false;
    rest -= part;
  }
  return true;
}

static Hash nameIn(const std::string &path) {
  return Hash::of(std::filesystem::path(path).filename().string());
}

std::optional<CheckedBytes> CheckedBytes::read(const std::string &path) {
  std::optional<FileBytes> file = FileBytes::mapOurs(path);
  FileHeader header;
  if (!file || file->bytes.size() < sizeof header)
    return std::nullopt;
  std::memcpy(&header, file->bytes.data(), sizeof header);
  HashOfParts checksum;
  checksum.add(file->bytes.substr(sizeof header));
  if (!header.isOf(*file) || header.name != nameIn(path) ||
      header.checksum != checksum.finish())
    return std::nullopt;
  return CheckedBytes{header, *file};
}

CheckedFile::CheckedFile(const std::string &path)
    : file(path), name(nameIn(path)) {
  file.write(std::string(sizeof(FileHeader), '\0'));
}

void CheckedFile::write(std::string_view bytes) {
  file.write(bytes);
  checksum.add(bytes);
  written += bytes.size();
}

void CheckedFile::padTo(uint64_t position) {
  write(std::string(position - written, '\0'));
}

void CheckedFile::finish(FileHeader header) {
  header.name = name;
  header.checksum = checksum.finish();
  header.bytes = written;
  file.replace(0, {reinterpret_cast<const char *>(&header), sizeof header});
  (void)file.finish(0600);
}

void glow::recordUse(const std::string &path) {
  ::utimensat(AT_FDCWD, path.c_str(), nullptr, 0);
}
