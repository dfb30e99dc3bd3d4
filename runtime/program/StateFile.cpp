//===- StateFile.cpp - sessions as files ----------------------------------===//
// SPDX-License-Identifier: MIT
//
// A file has a header, a text that describes the model and its states, and for
// each state its length and its value. The text is compared with that of the
// session, and is not parsed. It has a hash of its own, since it determines
// where the values go. Nothing of the session changes before all is right.
//
//===----------------------------------------------------------------------===//

#include "StateModel.h"
#include "glow/Base/InputFile.h"
#include "glow/Base/MappedFiles.h"
#include "glow/Base/NewFile.h"
#include "glow/Base/Version.h"
#include "glow/Program/Failure.h"
#include <cstring>
#include <unistd.h>

using namespace glow;

static constexpr std::string_view magicBegin = "glow session ";
static constexpr char magic[16] = "glow session 1\n";

namespace {
struct FileHeader {
  char magic[16] = {}, maker[32] = {};
  uint64_t bytes = 0, textBytes = 0;
  Hash text, values; ///< hashes of maker and text, and of the values

  Hash hashWith(const std::string &text) const {
    return Hash::of(std::string(maker, sizeof maker) + text);
  }
};
} // namespace

template <typename T> static std::string_view bytesOf(const T &number) {
  return {reinterpret_cast<const char *>(&number), sizeof number};
}

static std::string_view bytesOf(TensorView value) {
  return {static_cast<const char *>(value.data), size_t(value.type->bytes())};
}

/// The states, one on each line: "h0=hn f32[2,1,64]". A state that grows has
/// the type for its capacity.
static std::string textOfStates(const std::vector<StateInfo> &states) {
  std::string text;
  for (const StateInfo &state : states)
    text += state.pair.input + "=" + state.pair.output + " " +
            state.type.text() + "\n";
  return text;
}

static void addTo(HashOfParts &hash, const std::string &name,
                  const TensorType &type) {
  hash.add(name);
  hash.add(type.text() + "\n");
}

Status SessionStates::Model::identify(std::string &text) {
  std::lock_guard lock(mutex);
  if (known.empty()) {
    std::vector<const void *> addresses;
    for (const OfProgram &program : programs)
      for (const Constant &constant : program.constants)
        addresses.push_back(constant.data);
    // Reading a page past the end of a truncated file would end the process.
    MappedFiles &files = MappedFiles::instance();
    if (Status status = files.check(files.holding(addresses)); !status.ok())
      return status;
    HashOfParts hash;
    for (const OfProgram &program : programs) {
      if (!program.declares)
        continue;
      for (const std::vector<Binding> *list :
           {&program.inputs, &program.outputs})
        for (const Binding &binding : *list)
          addTo(hash, binding.name, binding.type);
      for (const Constant &constant : program.constants) {
        addTo(hash, "", constant.type);
        hash.add({static_cast<const char *>(constant.data),
                  size_t(constant.type.bytes())});
      }
    }
    known = textOfStates(states) + hash.finish().text();
  }
  text = known;
  return Status();
}

Status SessionStates::save(const std::string &path) const {
  std::string text;
  if (Status status = model->identify(text); !status.ok())
    return status;
  FileHeader header;
  std::memcpy(header.magic, magic, sizeof magic);
  version().copy(header.maker, sizeof header.maker - 1);
  header.textBytes = text.size();
  header.text = header.hashWith(text);
  NewFile file(path);
  file.write(bytesOf(header));
  file.write(text);
  HashOfParts values;
  header.bytes = sizeof header + text.size();
  auto write = [&](std::string_view bytes) {
    file.write(bytes);
    values.add(bytes);
    header.bytes += bytes.size();
  };
  for (size_t i = 0; i < states.size(); ++i) {
    write(bytesOf(all()[i].length));
    write(bytesOf(value(i)));
  }
  header.values = values.finish();
  file.replace(0, bytesOf(header));
  return file.finish(usualPermissions());
}

static Status damaged() {
  return Status(Code::InvalidArgument,
                "it is not all of a saved session, or was changed");
}

/// Reads the next bytes of a file; false if there are not as many.
static bool read(const InputFile &file, void *to, size_t count) {
  for (auto *at = static_cast<char *>(to); count;) {
    const ssize_t done = ::read(file.descriptor(), at, count);
    if (done <= 0)
      return false;
    at += done, count -= size_t(done);
  }
  return true;
}

static Status readHeader(const InputFile &file, FileHeader &header) {
  const std::string_view found(header.magic, sizeof header.magic);
  if (!read(file, &header, sizeof header) || !found.starts_with(magicBegin))
    return Status(Code::InvalidArgument, "it is no saved session");
  const std::string_view format =
      found.substr(magicBegin.size(), found.find('\n') - magicBegin.size());
  if (format != "1")
    return failureOf(Code::Unsupported,
                     {"its format is ", format, "; this is glow ", version(),
                      ", which reads format 1"});
  const auto size = uint64_t(file.about().st_size);
  if (header.bytes != size)
    return failureOf(Code::InvalidArgument,
                     {"it has ", std::to_string(size),
                      " bytes, it should have ", std::to_string(header.bytes)});
  const bool isWhole = std::memcmp(header.magic, magic, sizeof magic) == 0 &&
                       header.maker[sizeof header.maker - 1] == 0 &&
                       header.textBytes <= size - sizeof header;
  return isWhole ? Status() : damaged();
}

/// Reads the text, which should be that of the session.
static Status checkText(const InputFile &file, const FileHeader &header,
                        const std::string &needed, const std::string &states) {
  std::string text(size_t(header.textBytes), '\0');
  if (!read(file, text.data(), text.size()) ||
      header.hashWith(text) != header.text)
    return damaged();
  if (text == needed)
    return Status();
  const bool isSame = text.starts_with(states);
  const size_t end = text.rfind('\n');
  return failureOf(
      Code::InvalidArgument,
      {"glow ", header.maker, " wrote it for another model",
       isSame ? ", or another compilation of it: its weights, inputs or "
                "outputs differ"
              : " with the states ",
       isSame ? "" : std::string_view(text).substr(0, end),
       isSame ? "" : ", the session has ",
       isSame ? "" : std::string_view(states).substr(0, states.size() - 1)});
}

Status SessionStates::restoreFrom(const InputFile &file) {
  FileHeader header;
  Status status = readHeader(file, header);
  std::string text;
  if (status.ok())
    status = model->identify(text);
  if (status.ok())
    status = checkText(file, header, text, textOfStates(model->states));
  if (!status.ok())
    return status;
  // Nothing of this session changes before the file is known to be right.
  SessionStates restored(model);
  HashOfParts values;
  header.bytes -= sizeof header + text.size();
  for (size_t i = 0; i < states.size(); ++i) {
    const StateInfo &info = restored.infos[i];
    std::shared_ptr<Tensor> &buffer = restored.states[i].current;
    status = provide(buffer, info);
    if (!status.ok())
      return status;
    int64_t length = 0;
    if (!read(file, &length, sizeof length) || length < 0 ||
        (info.grows() ? length > info.capacity : length != info.length))
      return damaged();
    if (info.grows())
      restored.setLength(i, length);
    if (!read(file, buffer->data(), size_t(info.type.bytes())))
      return damaged();
    values.add(bytesOf(length));
    values.add(bytesOf(restored.value(i)));
    header.bytes -= sizeof length + info.type.bytes();
  }
  if (header.bytes != 0 || header.values != values.finish())
    return damaged();
  states = std::move(restored.states);
  // Callers may have the addresses of types.
  for (size_t i = 0; i < states.size(); ++i)
    if (infos[i].grows())
      setLength(i, restored.infos[i].length);
  return Status();
}

Status SessionStates::restore(const std::string &path) {
  Result<InputFile> file = InputFile::open(path);
  return file ? restoreFrom(*file).prefixed("'" + path + "': ") : file.status();
}
