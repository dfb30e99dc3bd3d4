//===- CallCheck.cpp - checks of a call's arguments -----------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Program/CallCheck.h"

using namespace glow;
using namespace glow::kernels;

/// In the order of AttributeValue.
static constexpr const char *forms[] = {
    "an integer", "a flag",       "a real number",  "a text",
    "integers",   "real numbers", "an element kind"};
static_assert(std::size(forms) == std::variant_size_v<AttributeValue>);

static const char *expected(int32_t least, int32_t most) {
  return least == 1 ? "1" : most == 1 ? "0 or 1" : "any number";
}

void CallCheck::operand(const char *name, int32_t least, int32_t most) {
  size_t place = operands++;
  if (place >= call.segments.size())
    return;
  int32_t count = call.segments[place];
  if (count < least || count > most)
    fail("has ", count, " buffers for '", name, "', not ",
         expected(least, most));
}

bool CallCheck::attribute(const char *name, size_t form) {
  size_t place = attributes++;
  if (place >= call.attributes.size())
    return false;
  size_t given = call.attributes[place].index();
  if (given != form)
    fail("has ", forms[given], " for '", name, "', not ", forms[form]);
  return given == form;
}

void CallCheck::choice(const char *name, size_t words) {
  if (!attribute(name, AttributeValue(int64_t(0)).index()))
    return;
  int64_t word = std::get<int64_t>(call.attributes[attributes - 1]);
  if (word < 0 || word >= int64_t(words))
    fail("has word ", word, " for '", name, "', of which there are ", words);
}

Status CallCheck::done() {
  if (call.segments.size() != operands)
    fail("has ", call.segments.size(), " operands, not ", operands);
  if (call.attributes.size() != attributes)
    fail("has ", call.attributes.size(), " attributes, not ", attributes);
  return status;
}
