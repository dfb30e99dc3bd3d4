//===- File.h - files, read whole and written whole -------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TENSORFILES_FILE_H
#define GLOW_TENSORFILES_FILE_H

#include "glow/Base/NewFile.h"
#include <cstdint>
#include <string>
#include <string_view>

namespace glow {

/// Reads a regular file. Fails, naming it, with
///   Code::NotFound         if it cannot be opened or read;
///   Code::InvalidArgument  if it is a folder, a pipe or a device, or is longer
///                          than `limit` bytes.
Result<std::string> readFile(const std::string &path,
                             uint64_t limit = uint64_t(16) << 30);

} // namespace glow

#endif // GLOW_TENSORFILES_FILE_H
