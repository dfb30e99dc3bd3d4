//===- Plugin.cpp - operators and backends from shared libraries ----------===//
// SPDX-License-Identifier: MIT

#include "glow/Base/Plugin.h"
#include "glow/Base/InputFile.h"
#include "glow/Base/PluginStamp.h"
#include <algorithm>
#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <optional>
#include <string_view>
#include <unistd.h>
#include <vector>

using namespace glow;

namespace {

struct Stamp {
  std::string build, plugin;
};

struct LoadedPlugin {
  dev_t device;
  ino_t number;
  std::string file, plugin;
};

} // namespace

static std::vector<LoadedPlugin> &loadedPlugins() {
  static std::vector<LoadedPlugin> all;
  return all;
}

static std::string &takenName() {
  static std::string name;
  return name;
}

void glow::noteTakenName(const std::string &what) {
  if (takenName().empty())
    takenName() = what;
}

//===----------------------------------------------------------------------===//
// The stamp
//===----------------------------------------------------------------------===//

/// An upper bound of the headers, and of the notes, of any plug-in.
static constexpr size_t mostBytes = 1 << 16;

static std::optional<std::string> readAt(const InputFile &file, uint64_t offset,
                                         uint64_t size) {
  std::string bytes(std::min<uint64_t>(size, mostBytes + 1), '\0');
  if (size > mostBytes || ::pread(file.descriptor(), bytes.data(), size,
                                  off_t(offset)) != ssize_t(size))
    return std::nullopt;
  return bytes;
}

template <typename T> static T structAt(std::string_view bytes, size_t offset) {
  T result{};
  if (offset + sizeof(T) <= bytes.size())
    std::memcpy(&result, bytes.data() + offset, sizeof(T));
  return result;
}

static size_t aligned(size_t size) { return (size + 3) / 4 * 4; }

/// The text of Glow's note among the notes of a segment.
static std::optional<Stamp> stampIn(std::string_view notes) {
  for (size_t at = 0; at + sizeof(Elf64_Nhdr) <= notes.size();) {
    auto header = structAt<Elf64_Nhdr>(notes, at);
    size_t name = at + sizeof header;
    size_t text = name + aligned(header.n_namesz);
    size_t end = text + header.n_descsz;
    if (end > notes.size() || text < name)
      return std::nullopt;
    if (header.n_type == pluginNoteType &&
        notes.substr(name).starts_with(std::string_view(pluginNoteName, 5))) {
      std::string_view all = notes.substr(text, header.n_descsz);
      all = all.substr(0, all.find('\0'));
      size_t line = all.find('\n');
      if (line != std::string_view::npos)
        return Stamp{std::string(all.substr(0, line)),
                     std::string(all.substr(line + 1))};
    }
    at = text + aligned(header.n_descsz);
  }
  return std::nullopt;
}

static std::optional<Stamp> stampOf(const InputFile &file) {
  std::optional<std::string> bytes = readAt(file, 0, sizeof(Elf64_Ehdr));
  if (!bytes || !bytes->starts_with(std::string_view(ELFMAG, SELFMAG)) ||
      (*bytes)[EI_CLASS] != ELFCLASS64)
    return std::nullopt;
  auto header = structAt<Elf64_Ehdr>(*bytes, 0);
  if (header.e_phentsize != sizeof(Elf64_Phdr))
    return std::nullopt;
  std::optional<std::string> segments =
      readAt(file, header.e_phoff, header.e_phnum * sizeof(Elf64_Phdr));
  for (size_t i = 0; segments && i < header.e_phnum; ++i) {
    auto segment = structAt<Elf64_Phdr>(*segments, i * sizeof(Elf64_Phdr));
    if (segment.p_type != PT_NOTE)
      continue;
    if (auto notes = readAt(file, segment.p_offset, segment.p_filesz))
      if (std::optional<Stamp> stamp = stampIn(*notes))
        return stamp;
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

/// A name without a slash would be looked up among the system's libraries.
static std::string pathOf(const std::string &file) {
  return file.find('/') == std::string::npos ? "./" + file : file;
}

static const LoadedPlugin *findLoaded(const struct stat &about) {
  auto found =
      std::ranges::find_if(loadedPlugins(), [&](const LoadedPlugin &one) {
        return one.device == about.st_dev && one.number == about.st_ino;
      });
  return found == loadedPlugins().end() ? nullptr : &*found;
}

bool glow::isPluginLoaded(const std::string &file) {
  struct stat about;
  return ::stat(pathOf(file).c_str(), &about) == 0 && findLoaded(about);
}

static Status checkStamp(const Stamp &stamp) {
  if (stamp.build != GLOW_PLUGIN_BUILD)
    return failure(Code::InvalidArgument, "it was built against ", stamp.build,
                   "; this is " GLOW_PLUGIN_BUILD ": build it again");
  for (const LoadedPlugin &one : loadedPlugins())
    if (one.plugin == stamp.plugin)
      return failure(Code::InvalidArgument, "plug-in '", stamp.plugin,
                     "' is loaded already, from '", one.file, "'");
  return Status();
}

/// Loads a plug-in, whose global constructors register its contents. The
/// library is never closed: its code is in use until the process ends.
static Status loadFile(const std::string &path, const std::string &scope) {
  Result<InputFile> file = InputFile::open(path);
  if (!file)
    return file.status();
  if (findLoaded(file->about()))
    return Status();
  std::optional<Stamp> stamp = stampOf(*file);
  if (!stamp)
    return failure(Code::InvalidArgument,
                   "it has no stamp of a plug-in of Glow, which "
                   "glow_add_plugin writes: build it again");
  if (Status status = checkStamp(*stamp); !status.ok())
    return status;
  loadedPlugins().push_back(
      {file->about().st_dev, file->about().st_ino, path, stamp->plugin});
  const std::string &opened = scope.empty() ? path : scope;
  if (!::dlopen(opened.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    loadedPlugins().pop_back();
    return failure(Code::NotFound, ::dlerror());
  }
  if (!takenName().empty())
    return failure(Code::InvalidArgument, takenName(),
                   " is there already; a plug-in gives its own another name");
  return Status();
}

Status glow::loadPlugin(const std::string &file, const std::string &scope) {
  Status status = loadFile(pathOf(file), scope);
  return status.ok() ? status
                     : status.prefixed("cannot load backend '" + file + "': ");
}
