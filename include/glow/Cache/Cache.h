//===- Cache.h - compiled programs in files ---------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The compile cache is a folder of files. Each program has a file, whose name
// is a hash of everything that the program depends on. Each large constant has
// a file as well, and programs share it. The folder also holds a note for each
// model, named by the model's path, and measurements of a machine by backends,
// named by its processor. Any number of processes may use it at once: files
// appear whole and never change, and a removed file lives on where it is
// mapped. Includes no LLVM.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_CACHE_CACHE_H
#define GLOW_CACHE_CACHE_H

#include "glow/Cache/FileBytes.h"
#include "glow/Program/Serial.h"
#include "glow/Session/Session.h"
#include <functional>

namespace glow {

/// The dependences of a program besides the request.
struct Origin {
  std::string backend;
  std::string processor; ///< the backend's name of the target processor
  std::string build;     ///< identifies this compiler
  std::string model;     ///< the hashes of its files
};

/// Facts about a model that hold as long as its files and those of the compiler
/// are unchanged, so that the model need not be read. A note only leads to a
/// program for the processor of this machine.
struct ModelNote {
  std::vector<FileState> model, compiler;
  std::string machine; ///< `machineText`
  Origin origin;
  std::vector<Binding> inputs, outputs;

  /// Whether the note is valid now, on this machine.
  bool isTrue() const;
};

class CompileCache {
public:
  /// Keeps at most `limit` bytes in `folder`, which is made when it is needed.
  explicit CompileCache(std::string folder, uint64_t limit = uint64_t(4) << 30)
      : folder(std::move(folder)), limit(limit) {}

  /// The cache key of the program for a request.
  static std::string keyOf(const CompileRequest &request, const Origin &origin);

  using Restore = std::function<Result<Program>(const StoredProgram &)>;

  /// Loads a program whose constants are pages of the file. Nothing if the
  /// program is absent or damaged.
  std::optional<Program> load(const std::string &key, const Restore &restore);

  /// Stores a program, its description by the backend, and the path of its
  /// model. Then removes the programs that were unused for the longest time. A
  /// failure is ignored: the next process compiles again.
  void store(const std::string &key, const Program &program,
             const std::string &description, const std::string &model);

  /// An entry of the cache.
  struct Kept {
    std::string file;           ///< its name in the folder
    uint64_t bytes;             ///< includes shared weights
    int64_t lastUse;            ///< in seconds since 1970
    std::string backend, model; ///< "" if the file is damaged
  };

  /// The programs, most recently used first. Fails if another user may write to
  /// the folder.
  Result<std::vector<Kept>> list() const;

  /// The bytes of all programs, in which shared weights count once.
  uint64_t bytesOnDisk() const;

  /// Removes all programs and notes, and with `all` the measurements of
  /// machines. Returns the bytes of these files. Fails as `list` does, or if a
  /// file cannot be removed.
  Result<uint64_t> clear(bool all);

  /// Maximum number of bytes that are kept.
  uint64_t limitBytes() const { return limit; }

  /// The last note on the model at `path`, which may be outdated.
  std::optional<ModelNote> note(const std::string &path) const;
  void write(const std::string &path, ModelNote note);

  /// A backend's measurements of this machine. "" if there are none, or only a
  /// damaged file or one of another machine.
  std::string numbers(const std::string &backend) const;
  /// Stores measurements, and drops all notes, since these lead to programs
  /// that were chosen with other numbers. Fails if the folder or the file
  /// cannot be written.
  Status keepNumbers(const std::string &backend, const std::string &text);
  /// Removes measurements, and drops all notes too. False if there are none.
  /// Fails as `list` does, or if a file cannot be removed.
  Result<bool> dropNumbers(const std::string &backend);

private:
  std::string pathOf(const std::string &key) const;
  bool isOurs() const;
  Status checkOurs() const; ///< a missing folder passes
  bool make();              ///< whether a safe folder exists afterwards
  void evict();
  void dropNotes();

  const std::string folder;
  const uint64_t limit;
};

/// The hashes of files; "" if one cannot be read.
std::string hashesOf(const std::vector<std::string> &files);

/// Identifies this processor, in less detail than a compiler does; "" if the
/// system does not report it.
std::string machineText();

/// The file `name` in the folder of this program; without a name, the program
/// itself.
std::string fileBeside(const std::string &name);

/// Path of the program that runs programs from the cache (Front.h).
std::string compilerFront();

} // namespace glow

#endif // GLOW_CACHE_CACHE_H
