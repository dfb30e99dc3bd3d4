//===- Fields.cpp - declared fields of records ----------------------------===//
// SPDX-License-Identifier: MIT

#include "Expr/Fields.h"

std::set<std::string> &glow::gen::readFields() {
  // A local static: notes are made before this file's globals would exist.
  static std::set<std::string> fields;
  return fields;
}
