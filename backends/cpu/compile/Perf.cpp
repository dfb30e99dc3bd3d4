//===- Perf.cpp - samples of perf, assigned to steps ----------------------===//
// SPDX-License-Identifier: MIT
//
// The format of a jitdump is tools/perf/Documentation/jitdump-specification.txt
// of Linux.
//
//===----------------------------------------------------------------------===//

#include "Perf.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include <ctime>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace glow;
using namespace glow::cpu;
using namespace llvm;

namespace {

struct DumpHeader {
  uint32_t magic = 0x4a695444, version = 1, size = sizeof(DumpHeader);
  uint32_t machine, padding = 0, process = uint32_t(::getpid());
  uint64_t time, flags = 0;
};

/// JIT_CODE_LOAD; the name, a zero, and the code follow.
struct CodeLoad {
  uint32_t id = 0, size;
  uint64_t time;
  uint32_t process = uint32_t(::getpid()), thread = uint32_t(::gettid());
  uint64_t address, codeAddress, codeSize, index;
};

struct LoadedFunction {
  std::string label;
  uint64_t address, bytes;
};

uint64_t now() {
  struct timespec time;
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return uint64_t(time.tv_sec) * 1000000000 + uint64_t(time.tv_nsec);
}

template <typename T> void append(std::string &to, const T &value) {
  to.append(reinterpret_cast<const char *>(&value), sizeof value);
}

std::string dumpOf(const std::vector<LoadedFunction> &functions,
                   uint32_t machine) {
  std::string dump;
  DumpHeader header;
  header.machine = machine, header.time = now();
  append(dump, header);
  for (const LoadedFunction &function : functions) {
    CodeLoad load;
    // The size of the record with its name and code.
    load.size =
        uint32_t(sizeof load + function.label.size() + 1 + function.bytes);
    load.time = now();
    load.address = load.codeAddress = function.address;
    load.codeSize = function.bytes;
    load.index = uint64_t(&function - functions.data());
    append(dump, load);
    dump.append(function.label.c_str(), function.label.size() + 1);
    dump.append(reinterpret_cast<const char *>(function.address),
                function.bytes);
  }
  return dump;
}

Status writeTo(const std::string &path, const std::string &bytes, int flags,
               bool mark) {
  int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | flags, 0644);
  bool good = file >= 0 && ::write(file, bytes.data(), bytes.size()) ==
                               ssize_t(bytes.size());
  // perf learns of the dump when a page of it is mapped as code.
  if (good && mark)
    good = ::mmap(nullptr, size_t(::getpagesize()), PROT_READ | PROT_EXEC,
                  MAP_PRIVATE, file, 0) != MAP_FAILED;
  if (file >= 0)
    ::close(file);
  if (file >= 0 && !good && mark) // a part of a dump is none
    ::unlink(path.c_str());
  return good ? Status()
              : Status(glow::Code::InvalidArgument,
                       "cannot write '" + path + "' for perf");
}

} // namespace

Status cpu::reportToPerf(const std::string &object, const SymbolFinder &find,
                         const StringMap<std::string> &labels,
                         const std::string &folder) {
  auto file = object::ObjectFile::createELFObjectFile(
      MemoryBufferRef(object, "program"));
  if (!file)
    return Status(glow::Code::Internal, toString(file.takeError()));
  std::vector<LoadedFunction> functions;
  std::string map;
  raw_string_ostream os(map);
  for (object::ELFSymbolRef symbol : (*file)->symbols()) {
    Expected<StringRef> name = symbol.getName();
    auto label = name ? labels.find(*name) : labels.end();
    if (!name)
      consumeError(name.takeError());
    if (label == labels.end())
      continue;
    auto address = reinterpret_cast<uint64_t>(find(label->first().str()));
    functions.push_back({label->second, address, symbol.getSize()});
    os << format_hex_no_prefix(address, 1) << " "
       << format_hex_no_prefix(symbol.getSize(), 1) << " " << label->second
       << "\n";
  }
  std::string process = std::to_string(::getpid());
  sys::fs::create_directories(folder);
  auto *elf = cast<object::ELFObjectFileBase>(file->get());
  Status status = writeTo(folder + "/jit-" + process + ".dump",
                          dumpOf(functions, elf->getEMachine()), O_TRUNC,
                          /*mark=*/true);
  if (!status.ok())
    return status;
  return writeTo("/tmp/perf-" + process + ".map", map, O_APPEND,
                 /*mark=*/false);
}
