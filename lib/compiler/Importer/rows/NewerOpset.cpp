//===- NewerOpset.cpp - operators of a newer opset ------------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Importer/NewerOpset.h"
#include "ImportRegistry.h"
#include "llvm/ADT/STLExtras.h"

using namespace glow;
using llvm::StringRef;

static StringRef plain(StringRef input) { return input.rtrim("?."); }

static bool hasAttribute(const ImportEntry &entry, StringRef name) {
  return llvm::is_contained(entry.attributes, name);
}

/// The input that holds an attribute of an older record: `value` became
/// `constant_value`, and `k` became `K`.
static std::optional<unsigned> placeOf(const ImportEntry &entry, size_t begin,
                                       StringRef attribute) {
  for (size_t i = begin; i < entry.inputs.size(); ++i) {
    StringRef input = plain(entry.inputs[i]);
    if (input.equals_insensitive(attribute) ||
        input.ends_with("_" + attribute.str()))
      return unsigned(i);
  }
  return std::nullopt;
}

/// Adds the attributes that became inputs from one record to the next. False if
/// the records show no such change.
static bool addStep(const ImportEntry &from, const ImportEntry &to,
                    bool isRenamed, NewerForm &form) {
  if (from.inputs.size() > to.inputs.size())
    return false;
  for (size_t i = 0; i < from.inputs.size(); ++i)
    if (plain(from.inputs[i]) != plain(to.inputs[i]))
      return false;
  const size_t moved = form.moved.size();
  for (StringRef attribute : from.attributes) {
    if (hasAttribute(to, attribute))
      continue;
    std::optional<unsigned> place = placeOf(to, from.inputs.size(), attribute);
    if (!place)
      return false;
    form.moved.emplace_back(attribute.str(), *place);
  }
  return form.moved.size() > moved ||
         (isRenamed && from.attributes.size() == to.attributes.size());
}

std::optional<NewerForm> glow::newerForm(std::string_view domain,
                                         std::string_view op, int64_t from,
                                         int64_t to) {
  std::string reason;
  auto entryOf = [&](const std::string &name, int64_t opset) {
    return ImportRegistry::instance().find(domain, name, opset, reason);
  };
  NewerForm form{std::string(op), {}};
  const ImportEntry *entry = entryOf(form.op, from);
  for (int64_t opset = from + 1; entry && opset <= to; ++opset) {
    std::string name = form.op;
    const ImportEntry *next = nullptr;
    if (*entry->successor)
      next = entryOf(entry->successor, opset);
    if (next)
      name = entry->successor;
    else
      next = entryOf(name, opset);
    if (next == entry)
      continue;
    if (!next || !addStep(*entry, *next, name != form.op, form))
      return std::nullopt;
    entry = next, form.op = name;
  }
  return entry ? std::optional(form) : std::nullopt;
}

int64_t glow::bf16OpsetOf(std::string_view domain, std::string_view op,
                          int64_t opset) {
  std::string reason;
  const ImportEntry *entry =
      ImportRegistry::instance().find(domain, op, opset, reason);
  return entry ? entry->bf16From : 0;
}
