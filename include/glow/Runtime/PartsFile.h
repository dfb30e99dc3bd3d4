//===- PartsFile.h - programs of parts as bytes and files -------*- C++ -*-===//

#ifndef GLOW_RUNTIME_PARTSFILE_H
#define GLOW_RUNTIME_PARTSFILE_H

#include "glow/Program/Serial.h"

namespace glow {

/// What a file that `writeParts` made begins with.
inline constexpr std::string_view partsMagic = "glow parts 1\n";

/// A program of parts, or one for a named device, without the data of its
/// constants: the schedule, and each part as its backend describes it. Fails as
/// describeProgram does.
Result<std::string> describeParts(const Program &program);

/// The inverse. Fails with Code::InvalidArgument if it makes no sense, and as
/// readDescribed does, naming the part.
Result<Program> readParts(const StoredProgram &stored);

/// Writes such a program with its constants, whole or not at all.
Status writeParts(const std::string &path, const Program &program);

/// Reads it. Its constants are in memory, so that the file may change. Fails,
/// naming the file, with Code::NotFound if it cannot be read, with
/// Code::InvalidArgument if it is not such a file, or not all of one, or was
/// changed, and as readParts does.
Result<Program> openParts(const std::string &path);

} // namespace glow

#endif // GLOW_RUNTIME_PARTSFILE_H
