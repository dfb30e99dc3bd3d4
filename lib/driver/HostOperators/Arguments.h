//===- Arguments.h - arguments of Caffe2's operators ------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_HOSTOPERATORS_ARGUMENTS_H
#define GLOW_LIB_HOSTOPERATORS_ARGUMENTS_H

#include "glow/Values/HostCall.h"

namespace glow {

/// Reads the arguments of an operator of Caffe2. An integer may stand for a
/// real number. An argument of another kind has its default value, and the
/// first such mistake is kept.
class Arguments {
public:
  explicit Arguments(const HostCall &call) : call(call) {}

  int64_t integer(const char *name, int64_t missing);
  double real(const char *name, double missing);
  std::string text(const char *name, std::string missing);
  Ints integers(const char *name);

  bool flag(const char *name, bool missing) {
    return integer(name, missing) != 0;
  }

  /// OK, or the first mistake: "attribute 'nms' is a text, but ...".
  const Status &status() const { return mistake; }

private:
  template <typename T> T read(const char *name, T missing);

  const HostCall &call;
  Status mistake;
};

} // namespace glow

#endif // GLOW_LIB_HOSTOPERATORS_ARGUMENTS_H
