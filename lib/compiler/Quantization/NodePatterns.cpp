//===- NodePatterns.cpp - nodes by regular expressions --------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Quantization/NodePatterns.h"
#include <re2/re2.h>

using namespace glow;

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

Wish NodeChoice::wishFor(const std::string &name, const std::string &op) {
  const bool isSkipped = skipped.match(name, op);
  if (only.empty())
    return isSkipped ? Wish::Floats : Wish::None;
  return only.match(name, op) && !isSkipped ? Wish::Integers : Wish::Floats;
}

Status NodeChoice::check() const {
  const Status status = only.check();
  return status.ok() ? skipped.check() : status;
}

Status NodeChoice::checkUsed() const {
  const Status status = only.checkUsed();
  return status.ok() ? skipped.checkUsed() : status;
}
