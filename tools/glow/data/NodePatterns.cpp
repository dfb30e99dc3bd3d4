//===- NodePatterns.cpp - nodes by regular expressions --------------------===//
// SPDX-License-Identifier: MIT

#include "NodePatterns.h"
#include <re2/re2.h>

using namespace glow;
using namespace glow::tool;

NodePatterns::NodePatterns(const char *flag,
                           const std::vector<std::string> &texts)
    : flag(flag) {
  RE2::Options options;
  options.set_log_errors(false);
  for (const std::string &text : texts)
    all.emplace_back(std::make_unique<RE2>(text, options), false);
}
NodePatterns::~NodePatterns() = default;

bool NodePatterns::match(const std::string &name, const std::string &op) {
  bool found = false;
  for (auto &[expression, used] : all)
    if (RE2::FullMatch(name, *expression) || RE2::FullMatch(op, *expression))
      found = used = true;
  return found;
}

Status NodePatterns::check() const {
  for (const auto &[expression, used] : all)
    if (!expression->ok())
      return failure(Code::InvalidArgument, flag, " '", expression->pattern(),
                     "' is no regular expression: ", expression->error());
  return Status();
}

Status NodePatterns::checkUsed() const {
  for (const auto &[expression, used] : all)
    if (!used)
      return failure(Code::NotFound, flag, " '", expression->pattern(),
                     "' is the name or the operator of no node that may be "
                     "integers");
  return Status();
}
