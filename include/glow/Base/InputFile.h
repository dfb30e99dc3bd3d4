//===- InputFile.h - regular files for reading ------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BASE_INPUTFILE_H
#define GLOW_BASE_INPUTFILE_H

#include "glow/Base/Status.h"
#include <sys/stat.h>

namespace glow {

/// A regular file, open for reading. Folders, pipes and devices are refused: to
/// open one may block for ever, and reading one may never end.
class InputFile {
public:
  /// Fails, naming the file, with Code::NotFound if it cannot be opened, and
  /// with Code::InvalidArgument if it is no regular file.
  static Result<InputFile> open(const std::string &path);
  InputFile(InputFile &&other) noexcept;
  InputFile(const InputFile &) = delete;
  InputFile &operator=(const InputFile &) = delete;
  ~InputFile();

  int descriptor() const { return number; }
  /// The result of fstat at the time of opening.
  const struct stat &about() const { return state; }

private:
  InputFile(int number, const struct stat &state)
      : number(number), state(state) {}

  int number;
  struct stat state;
};

/// Whether only this user and root may change a file or folder: its owner is
/// one of the two, and neither its group nor others may write to it.
bool isOursAlone(const struct stat &about);

} // namespace glow

#endif // GLOW_BASE_INPUTFILE_H
