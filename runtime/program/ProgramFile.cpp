//===- ProgramFile.cpp - compiled programs in shared libraries ------------===//
// SPDX-License-Identifier: MIT

#include "glow/Runtime/ProgramFile.h"
#include "glow/Base/InputFile.h"
#include "glow/Base/Memory.h"
#include "glow/Base/MemoryFile.h"
#include "glow/Program/ProgramSeal.h"
#include "glow/Program/SizeValues.h"
#include "glow/Runtime/PartsFile.h"
#include <algorithm>
#include <cstring>
#include <dlfcn.h>
#include <filesystem>
#include <span>
#include <typeinfo>

using namespace glow;

ProgramReaders &ProgramReaders::instance() {
  static ProgramReaders readers;
  return readers;
}

void ProgramReaders::add(std::string_view backend, ProgramReader reader,
                         ProgramWriter writer) {
  std::lock_guard lock(mutex);
  readers.emplace(backend, std::pair(reader, writer));
}

ProgramReader ProgramReaders::find(std::string_view backend) const {
  std::lock_guard lock(mutex);
  auto found = readers.find(backend);
  return found == readers.end() ? nullptr : found->second.first;
}

ProgramWriter ProgramReaders::writer(std::string_view backend) const {
  std::lock_guard lock(mutex);
  auto found = readers.find(backend);
  return found == readers.end() ? nullptr : found->second.second;
}

Result<std::string> glow::describeProgram(const Program &program) {
  if (ProgramWriter write = ProgramReaders::instance().writer(program.backend))
    return write(program);
  // Only plain StepCode, as that of the interpreter, needs no writer.
  auto *steps = dynamic_cast<const StepCode *>(program.code.get());
  if (!steps || typeid(*steps) != typeid(StepCode))
    return failure(Code::Unsupported, "programs of backend '", program.backend,
                   "' cannot be sent to another process");
  Program described = program;
  StepCode code = *steps;
  std::optional<ProgramLengths> lengths;
  std::optional<ProgramCalls> calls;
  if (code.entrySteps() < code.steps.size())
    calls = callsOf(code);
  if (calls || isOpen(program, code)) // these come before calls
    lengths = lengthsOf(program, code);
  ByteWriter writer;
  writer(described, code);
  writer.last(lengths);
  writer.last(calls);
  return writer.take();
}

Result<Program> glow::readDescribed(const std::string &backend,
                                    const StoredProgram &stored) {
  if (ProgramReader read = ProgramReaders::instance().find(backend))
    return read(stored);
  Program program;
  auto code = std::make_shared<StepCode>();
  std::optional<ProgramLengths> lengths;
  std::optional<ProgramCalls> calls;
  ByteReader reader(stored.description);
  reader(program, *code);
  reader.last(lengths);
  reader.last(calls);
  if (!reader.ok() || (lengths && !setLengths(*lengths, program, *code)) ||
      (calls && !setCalls(*calls, *code)) || !bindBlock(program, stored))
    return Status(Code::InvalidArgument, "the program is damaged");
  program.code = std::move(code);
  return program;
}

static Result<Program> readHeader(const ProgramHeader &header,
                                  const std::shared_ptr<void> &library) {
  ProgramReader reader = ProgramReaders::instance().find(header.backend);
  if (!reader)
    return failure(Code::NotFound, "it was compiled for backend '",
                   header.backend, "', which is not in this build");
  if (header.constantBytes)
    touchMapped(header.constants + header.constantBytes, prefetchedBehind);
  std::span functions(header.functions, size_t(header.functionCount));
  auto find = [&](const std::string &name) -> void * {
    auto found = std::ranges::find_if(
        functions, [&](const auto &row) { return name == row.name; });
    return found == functions.end() ? nullptr : found->address;
  };
  return reader({{header.description, size_t(header.descriptionBytes)},
                 {header.constants, size_t(header.constantBytes)},
                 find,
                 library});
}

bool glow::isProgramFile(const std::string &path) {
  return path.ends_with(".so") || path.ends_with(".parts") ||
         MemoryFile::begins(path, "\x7f"
                                  "ELF");
}

Result<Program> glow::openProgram(const std::string &path) {
  if (path.ends_with(".parts"))
    return openParts(path);
  // dlopen would search a name without a slash among the system's libraries.
  std::string file = std::filesystem::absolute(path);
  // InputFile refuses a pipe, at which dlopen would block.
  Result<InputFile> found = InputFile::open(file);
  if (!found)
    return found.status();
  Result<ProgramOrigin> origin = checkProgramSeal(path);
  if (!origin)
    return origin.status();
  // The loader takes two files of one name for the same file. The name of a
  // descriptor may be reused, so the library keeps a descriptor of its own.
  std::shared_ptr<InputFile> kept;
  if (MemoryFile::isPath(file)) {
    kept = std::make_shared<InputFile>(found.take());
    file = MemoryFile::pathOf(kept->descriptor());
  }
  std::shared_ptr<void> library(::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL),
                                [kept](void *opened) {
                                  if (opened)
                                    ::dlclose(opened);
                                });
  if (!library)
    return failure(Code::InvalidArgument, "cannot open '", path,
                   "': ", ::dlerror());
  auto *header = static_cast<const ProgramHeader *>(
      ::dlsym(library.get(), "glow_program"));
  if (!header || std::memcmp(header->magic, ProgramHeader::expectedMagic,
                             sizeof header->magic) != 0)
    return failure(Code::InvalidArgument, "'", path,
                   "' holds no program that this build can read; it should be "
                   "made by glow compile --emit=so");
  Result<Program> program = readHeader(*header, library);
  return program ? program
                 : program.status().prefixed("'" + path + "', " +
                                             origin->text() + ": ");
}
