//===- Arguments.cpp - arguments of Caffe2's operators --------------------===//
// SPDX-License-Identifier: MIT

#include "Arguments.h"

using namespace glow;

/// The words of the importer's messages, by the types of HostAttribute.
static constexpr const char *words[] = {
    "an integer",      "a real number",   "a text",  "a list of integers",
    "a list of reals", "a list of texts", "a tensor"};
static_assert(std::size(words) == std::variant_size_v<HostAttribute>);

template <typename T> T Arguments::read(const char *name, T missing) {
  const HostAttribute *found = call.attributeNamed(name);
  if (!found)
    return missing;
  if (const T *value = std::get_if<T>(found))
    return *value;
  if constexpr (std::is_same_v<T, double>)
    if (const int64_t *value = std::get_if<int64_t>(found))
      return double(*value);
  if (mistake.ok())
    mistake = failure(Code::InvalidArgument, "attribute '", name, "' is ",
                      words[found->index()], ", but ",
                      words[HostAttribute(missing).index()], " is wanted");
  return missing;
}

int64_t Arguments::integer(const char *name, int64_t missing) {
  return read(name, missing);
}
double Arguments::real(const char *name, double missing) {
  return read(name, missing);
}
std::string Arguments::text(const char *name, std::string missing) {
  return read(name, std::move(missing));
}
Ints Arguments::integers(const char *name) { return read(name, Ints()); }
