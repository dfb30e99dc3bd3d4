//===- Context.cpp - compiled programs in EPContext nodes -----------------===//
// SPDX-License-Identifier: MIT

#include "Context.h"
#include "Reader.h"
#include "Writer.h"
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

using namespace glow;
using namespace glow::ort;
namespace fs = std::filesystem;

/// The first bytes of a context; the number is that of its form.
static constexpr std::string_view magic = "glow context 1\n";

/// Fields of a context, and of a file in it.
enum { VersionField = 1, ModelField, FileField, ProcessorField };
enum { NameField = 1, BytesField };

namespace {
/// A folder of this process, which is removed with the object.
class Folder {
public:
  Folder() : path(fs::temp_directory_path() / "glow-context-XXXXXX") {
    std::string name = path;
    if (!mkdtemp(name.data()))
      throw Failure(ORT_EP_FAIL,
                    "cannot make a folder in " + path.parent_path().string());
    path = name;
  }
  Folder(const Folder &) = delete;
  Folder &operator=(const Folder &) = delete;
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }

  fs::path path;
};

/// An engine whose cache is a folder of its own.
struct Held {
  Folder folder;
  std::unique_ptr<Engine> engine;
};
} // namespace

static Settings withCache(Settings settings, const fs::path &folder) {
  std::erase_if(settings, [](const auto &one) {
    return one.first == "cache_dir" || one.first == "cache-dir";
  });
  settings.emplace_back("cache-dir", folder.string());
  return settings;
}

static std::shared_ptr<Engine> compileIn(const std::shared_ptr<Held> &held,
                                         std::string_view model,
                                         const std::string &name,
                                         const Settings &settings) {
  held->engine = std::make_unique<Engine>(
      api::Model(model, name), withCache(settings, held->folder.path),
      Compile::Trial);
  return {held, held->engine.get()};
}

static std::string bytesOf(const fs::path &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Facts about this processor on which compiled code depends, a line each.
static std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  std::string text;
  // The first processor ends with an empty line.
  for (std::string line; std::getline(file, line) && !line.empty();)
    for (const char *field : {"model name", "flags", "Features", "CPU part"})
      if (line.starts_with(field))
        text += line + "\n";
  return text;
}

Prepared ort::compileForContext(const std::string &model,
                                const std::string &name,
                                const Settings &settings) {
  auto held = std::make_shared<Held>();
  Prepared made;
  made.engine = compileIn(held, model, name, settings);
  Writer out;
  out.bytes = magic;
  out.text(VersionField, glow_version());
  out.text(ProcessorField, processor());
  out.text(ModelField, model);
  for (const fs::directory_entry &file :
       fs::directory_iterator(held->folder.path))
    if (file.path().extension() == ".program")
      out.message(FileField, [&] {
        out.text(NameField, file.path().filename().string());
        out.text(BytesField, bytesOf(file.path()));
      });
  made.context = std::move(out.bytes);
  return made;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {
struct Contents {
  std::string version, processor, model;
  std::map<std::string, std::string> files;
};
} // namespace

static Contents contentsOf(std::string_view context) {
  if (!context.starts_with(magic))
    throw Failure(ORT_EP_FAIL, "an EPContext node has no context of this form "
                               "of Glow's: write it again");
  const ReadPart read = readFrom(context);
  Contents contents;
  Message message(read, magic.size(), context.size());
  for (Field field; message.next(field);) {
    if (field.number == VersionField)
      contents.version = message.text(field);
    else if (field.number == ProcessorField)
      contents.processor = message.text(field);
    else if (field.number == ModelField)
      contents.model = message.text(field);
    if (field.number != FileField)
      continue;
    std::string name, bytes;
    Message file = message.in(field);
    for (Field part; file.next(part);)
      (part.number == NameField ? name : bytes) = file.text(part);
    contents.files[fs::path(name).filename()] = bytes;
  }
  return contents;
}

static size_t filesIn(const fs::path &folder) {
  size_t count = 0;
  for (const fs::directory_entry &file : fs::directory_iterator(folder))
    count += file.path().extension() == ".program";
  return count;
}

static void refuse(const std::string &name, const std::string &is,
                   const std::string &shouldBe) {
  throw Failure(ORT_EP_FAIL, "the context of '" + name + "' was written " + is +
                                 ", this is " + shouldBe + ": write it again");
}

static std::string firstLine(const std::string &text) {
  return text.substr(0, text.find('\n'));
}

std::shared_ptr<Engine> ort::engineOfContext(std::string_view context,
                                             const std::string &name,
                                             const Settings &settings,
                                             bool &compiled) {
  const Contents contents = contentsOf(context);
  if (contents.version != glow_version())
    refuse(name, "by Glow " + contents.version, glow_version());
  if (contents.processor != processor())
    refuse(name, "for a processor of " + firstLine(contents.processor),
           "one of " + firstLine(processor()));
  auto held = std::make_shared<Held>();
  for (const auto &[file, bytes] : contents.files)
    std::ofstream(held->folder.path / file, std::ios::binary) << bytes;
  auto engine = compileIn(held, contents.model, name, settings);
  // Glow finds a program by the build, the options and the process.
  compiled = filesIn(held->folder.path) != contents.files.size();
  return engine;
}
