//===- PartsFile.cpp - programs of parts as bytes and files ---------------===//
// SPDX-License-Identifier: MIT
//
// The constant block of a program of parts is the concatenation of the blocks
// of its parts. A part may come from a file that is damaged or that Glow has
// not written: its values are checked against the schedule before they are
// used.
//
//===----------------------------------------------------------------------===//

#include "glow/Runtime/PartsFile.h"
#include "glow/Base/Hash.h"
#include "glow/Base/InputFile.h"
#include "glow/Base/NewFile.h"
#include "glow/Program/Parts.h"
#include "glow/Program/SizeValues.h"
#include "glow/Runtime/ProgramFile.h"
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

using namespace glow;

namespace glow {

namespace {

struct StoredPart {
  std::string backend, device, description;
  std::vector<uint32_t> inputs, outputs;
};

struct StoredSchedule {
  Program whole; ///< its bindings and sizes
  std::vector<TensorType> between;
  std::vector<StoredPart> parts;
  std::optional<ProgramLengths> lengths; ///< of `whole`, and its conditions
};

} // namespace

template <typename Stream>
static void describe(Stream &stream, StoredPart &part) {
  stream(part.backend, part.device, part.description, part.inputs,
         part.outputs);
}
template <typename Stream>
static void describe(Stream &stream, StoredSchedule &schedule) {
  Program &whole = schedule.whole;
  stream(whole.backend, whole.entry, whole.inputs, whole.outputs, whole.math,
         whole.arenaBytes, whole.liveBytes, schedule.between, schedule.parts);
  stream.last(whole.states);
  stream.last(schedule.lengths);
}

} // namespace glow

/// The parts of a program. A program without parts is a single part, whose
/// values are its inputs and outputs.
static std::vector<PartsCode::Part> partsIn(const Program &program) {
  if (const PartsCode *code = partsOf(program))
    return code->parts;
  PartsCode::Part only{program, {}, {}};
  for (uint32_t i = 0; i < program.inputs.size(); ++i)
    only.inputs.push_back(i);
  for (uint32_t i = 0; i < program.outputs.size(); ++i)
    only.outputs.push_back(uint32_t(program.inputs.size()) + i);
  return {only};
}

/// Whether sizes of the program differ between runs.
static bool hasSizes(const Program &program) {
  return hasLengths(program.inputs) || hasLengths(program.outputs);
}

Result<std::string> glow::describeParts(const Program &program) {
  StoredSchedule schedule;
  schedule.whole = program;
  if (hasSizes(program)) {
    schedule.lengths = lengthsOf(program, StepCode());
    if (!schedule.whole.states) // these come first, so that there are some
      schedule.whole.states.emplace();
  }
  if (const PartsCode *code = partsOf(program))
    schedule.between = code->between;
  for (PartsCode::Part &part : partsIn(program)) {
    Result<std::string> description = describeProgram(part.program);
    if (!description)
      return description.status();
    schedule.parts.push_back({part.program.backend, part.program.device,
                              description.take(), std::move(part.inputs),
                              std::move(part.outputs)});
  }
  ByteWriter writer;
  writer(schedule);
  return writer.take();
}

/// Whether each value of a part exists and has the type of its binding.
static bool agrees(const std::vector<uint32_t> &values,
                   const std::vector<Binding> &bindings,
                   const std::vector<TensorType> &types) {
  if (values.size() != bindings.size())
    return false;
  for (size_t i = 0; i < values.size(); ++i)
    if (values[i] >= types.size() || types[values[i]] != bindings[i].type)
      return false;
  return true;
}

static std::vector<TensorType> typesOf(const StoredSchedule &schedule) {
  std::vector<TensorType> types;
  for (const Binding &input : schedule.whole.inputs)
    types.push_back(input.type);
  for (const Binding &output : schedule.whole.outputs)
    types.push_back(output.type);
  types.insert(types.end(), schedule.between.begin(), schedule.between.end());
  return types;
}

/// Whether parts read only inputs and values that earlier parts have written,
/// no part writes one of the `inputs`, which are the first values, and every
/// other value is written.
static bool isInOrder(const StoredSchedule &schedule, size_t inputs,
                      size_t values) {
  std::vector<bool> isThere(values);
  std::fill_n(isThere.begin(), inputs, true);
  for (const StoredPart &part : schedule.parts) {
    for (uint32_t value : part.inputs)
      if (!isThere[value])
        return false;
    for (uint32_t value : part.outputs) {
      if (value < inputs)
        return false;
      isThere[value] = true;
    }
  }
  return std::ranges::find(isThere, false) == isThere.end();
}

Result<Program> glow::readParts(const StoredProgram &stored) {
  const Status damaged(Code::InvalidArgument,
                       "the schedule of parts is damaged");
  StoredSchedule schedule;
  ByteReader reader(stored.description);
  reader(schedule);
  const std::vector<TensorType> types = typesOf(schedule);
  if (!reader.ok() || schedule.parts.empty() ||
      !std::ranges::all_of(types, &TensorType::isStatic))
    return damaged;
  Program program = std::move(schedule.whole);
  StepCode none;
  if (schedule.lengths && !setLengths(*schedule.lengths, program, none))
    return damaged;
  auto code = std::make_shared<PartsCode>();
  code->between = schedule.between;
  uint64_t at = 0;
  for (size_t i = 0; i < schedule.parts.size(); ++i) {
    StoredPart &part = schedule.parts[i];
    if (at > stored.constants.size())
      return damaged;
    Result<Program> own = readDescribed(
        part.backend,
        {part.description, stored.constants.substr(at), nullptr, stored.owner});
    if (!own)
      return own.status().prefixed("part " + std::to_string(i) + ": ");
    if (own->backend != part.backend ||
        !agrees(part.inputs, own->inputs, types) ||
        !agrees(part.outputs, own->outputs, types))
      return damaged;
    at += blockBytes(*own).value_or(0);
    own->device = part.device;
    program.constants.insert(program.constants.end(), own->constants.begin(),
                             own->constants.end());
    code->parts.push_back({own.take(), part.inputs, part.outputs});
  }
  if (!isInOrder(schedule, program.inputs.size(), types.size()))
    return damaged;
  program.code = std::move(code);
  return program;
}

namespace {

/// The header of a file of parts. The description follows, and then the block
/// of constants.
struct FileHeader {
  char magic[16] = {};
  uint64_t descriptionBytes = 0, constantsAt = 0, bytes = 0;
  Hash hash; ///< hash of all bytes after the header

  bool fits(uint64_t size) const {
    return bytes == size && constantsAt >= sizeof(FileHeader) &&
           constantsAt <= size &&
           descriptionBytes <= constantsAt - sizeof(FileHeader);
  }
};

constexpr uint64_t alignment = 64; // of constants

} // namespace

Status glow::writeParts(const std::string &path, const Program &program) {
  Result<std::string> description = describeParts(program);
  if (!description)
    return description.status();
  FileHeader header;
  (hasSizes(program) ? openPartsMagic : partsMagic)
      .copy(header.magic, sizeof header.magic);
  header.descriptionBytes = description->size();
  const uint64_t before = sizeof header + description->size();
  header.constantsAt = (before + alignment - 1) / alignment * alignment;
  NewFile file(path);
  HashOfParts hash;
  header.bytes = sizeof header;
  file.write(std::string(sizeof header, '\0'));
  auto write = [&](std::string_view bytes) {
    file.write(bytes);
    hash.add(bytes);
    header.bytes += bytes.size();
  };
  write(*description);
  write(std::string(header.constantsAt - before, '\0'));
  for (const PartsCode::Part &part : partsIn(program))
    writeBlock(part.program, write);
  header.hash = hash.finish();
  file.replace(0, {reinterpret_cast<const char *>(&header), sizeof header});
  return file.finish(usualPermissions());
}

/// The bytes of a whole file, at an address that is a multiple of 64.
static Result<StoredProgram> readAll(const std::string &path) {
  Result<InputFile> file = InputFile::open(path);
  if (!file)
    return file.status();
  const auto size = size_t(file->about().st_size);
  const size_t room = (size + alignment - 1) / alignment * alignment;
  std::shared_ptr<char> bytes(
      static_cast<char *>(std::aligned_alloc(alignment, room + alignment)),
      std::free);
  if (!bytes)
    return failure(Code::OutOfMemory, "'", path, "' has ", size,
                   " bytes, for which there is no memory");
  size_t done = 0;
  while (done < size) {
    const ssize_t count =
        ::read(file->descriptor(), bytes.get() + done, size - done);
    if (count <= 0)
      return failure(Code::NotFound, "'", path, "' cannot be read");
    done += size_t(count);
  }
  return StoredProgram{{bytes.get(), size}, {}, nullptr, bytes};
}

Result<Program> glow::openParts(const std::string &path) {
  Result<StoredProgram> read = readAll(path);
  if (!read)
    return read.status();
  const std::string_view all = read->description;
  FileHeader header;
  if (all.size() < sizeof header ||
      !(all.starts_with(partsMagic) || all.starts_with(openPartsMagic)))
    return failure(Code::InvalidArgument, "'", path,
                   "' is no file of parts; glow partition makes one");
  std::memcpy(&header, all.data(), sizeof header);
  HashOfParts hash;
  hash.add(all.substr(sizeof header));
  if (!header.fits(all.size()) || header.hash != hash.finish())
    return failure(Code::InvalidArgument, "'", path, "' has ", all.size(),
                   " bytes, but it is not all of what glow partition wrote, or "
                   "was changed");
  Result<Program> program =
      readParts({all.substr(sizeof header, header.descriptionBytes),
                 all.substr(header.constantsAt), nullptr, read->owner});
  return program ? program : program.status().prefixed("'" + path + "': ");
}
