//===- PartsFile.h - programs of parts as bytes and files -------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_RUNTIME_PARTSFILE_H
#define GLOW_RUNTIME_PARTSFILE_H

#include "glow/Program/Serial.h"

namespace glow {

/// The first bytes of a file from `writeParts`: the second of a program whose
/// sizes differ between runs, which older versions of Glow do not know.
inline constexpr std::string_view partsMagic = "glow parts 1\n";
inline constexpr std::string_view openPartsMagic = "glow parts 2\n";

/// Serializes a program of parts, or one for a named device, without the data
/// of its constants: the schedule, and each part as its backend describes it.
/// Fails as describeProgram does.
Result<std::string> describeParts(const Program &program);

/// The inverse of describeParts. Fails with Code::InvalidArgument if the text
/// is malformed, and as readDescribed does, naming the part.
Result<Program> readParts(const StoredProgram &stored);

/// Writes such a program with its constants, whole or not at all.
Status writeParts(const std::string &path, const Program &program);

/// Reads such a file. Constants are read into memory, so that the file may
/// change. Fails, naming the file, with Code::NotFound if it cannot be read.
/// Fails with Code::InvalidArgument if it is no such file, is incomplete or was
/// changed. Otherwise fails as readParts does.
Result<Program> openParts(const std::string &path);

} // namespace glow

#endif // GLOW_RUNTIME_PARTSFILE_H
