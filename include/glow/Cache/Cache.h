//===- Cache.h - compiled programs in files ---------------------*- C++ -*-===//
//
// A folder holds one file a program, named by a hash of all that the program
// depends on, a note a model, named by where the model is, and what backends
// measured of a machine, named by its processor. Any number of processes may
// use it at once: files appear whole, and are never changed; a file that is
// removed lives on where it is mapped. Includes no LLVM.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_CACHE_CACHE_H
#define GLOW_CACHE_CACHE_H

#include "glow/Cache/FileBytes.h"
#include "glow/Program/Serial.h"
#include "glow/Session/Session.h"
#include <functional>

namespace glow {

/// What a program depends on besides the request.
struct Origin {
  std::string backend;
  std::string processor; ///< what the backend says code is made for
  std::string build;     ///< of this compiler
  std::string model;     ///< the hashes of its files
};

/// What is known of a model without looking into it, as long as its files and
/// those of the compiler are as they were. Only a program for the processor of
/// this machine is found with it.
struct ModelNote {
  std::vector<FileState> model, compiler;
  std::string machine; ///< `machineText`
  Origin origin;
  std::vector<Binding> inputs, outputs;

  /// Whether it holds now, here.
  bool isTrue() const;
};

class CompileCache {
public:
  /// Keeps at most `limit` bytes in `folder`, which is made when it is needed.
  explicit CompileCache(std::string folder, uint64_t limit = uint64_t(4) << 30)
      : folder(std::move(folder)), limit(limit) {}

  /// The name of the program of a request.
  static std::string keyOf(const CompileRequest &request, const Origin &origin);

  using Restore = std::function<Result<Program>(const StoredProgram &)>;

  /// Nothing if there is no such program, or only a damaged one. Its constants
  /// are pages of the file.
  std::optional<Program> load(const std::string &key, const Restore &restore);

  /// Keeps a program of the model at a path and how its backend describes it,
  /// and removes those that were not used for the longest time. It is no
  /// mistake if this fails: the next process compiles again.
  void store(const std::string &key, const Program &program,
             const std::string &description, const std::string &model);

  /// A program that is kept.
  struct Kept {
    std::string file; ///< in the folder
    uint64_t bytes;
    int64_t lastUse;            ///< in seconds since 1970
    std::string backend, model; ///< "" if the file is damaged
  };

  /// The programs, the last used first. Fails if another user may write to the
  /// folder.
  Result<std::vector<Kept>> list() const;

  /// Removes all programs and notes, and with `all` what was measured of
  /// machines; gives the bytes of these files. Fails as `list`, or if a file
  /// cannot be removed.
  Result<uint64_t> clear(bool all);

  /// The most bytes that are kept.
  uint64_t limitBytes() const { return limit; }

  /// The last note on the model at `path`, which may be none any more.
  std::optional<ModelNote> note(const std::string &path) const;
  void write(const std::string &path, ModelNote note);

  /// What a backend measured of this machine; "" if nothing is kept, or only a
  /// damaged file or one of another machine.
  std::string numbers(const std::string &backend) const;
  /// Keeps that, and drops all notes: they lead to programs that were chosen by
  /// other numbers. Fails if the folder or the file cannot be written.
  Status keepNumbers(const std::string &backend, const std::string &text);
  /// Removes that, and drops all notes too. False where nothing is kept; fails
  /// as `list`, or where a file cannot be removed.
  Result<bool> dropNumbers(const std::string &backend);

private:
  std::string pathOf(const std::string &key) const;
  bool isOurs() const;
  Status checkOurs() const; ///< a folder that is not there is ours
  bool make();              ///< whether there is a folder now, and it is ours
  void evict();
  void dropNotes();

  const std::string folder;
  const uint64_t limit;
};

/// The hashes of files; "" if one cannot be read.
std::string hashesOf(const std::vector<std::string> &files);

/// The files of code in this process: a new build has other ones.
std::vector<FileState> filesOfProcess();

/// Whether no code was loaded since the process began, as a backend's.
bool isAsStarted();

/// Tells this processor from others, though not as a compiler does; "" if the
/// system does not say.
std::string machineText();

/// The file `name` in the folder of this program; the program itself without a
/// name.
std::string fileBeside(const std::string &name);

/// The program that runs what this compiler kept (Front.h).
std::string compilerFront();

} // namespace glow

#endif // GLOW_CACHE_CACHE_H
