//===- HostCall.cpp - calls of host operators -----------------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Values/HostCall.h"
#include "glow/Base/VisitKind.h"
#include <algorithm>
#include <mutex>

using namespace glow;

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

namespace {

using Key = std::pair<std::string, std::string>;

struct HostEntries {
  std::mutex mutex;
  std::map<Key, std::map<int64_t, const HostEntry *>> all;

  static HostEntries &instance() {
    static HostEntries rows;
    return rows;
  }
};

Key keyOf(std::string_view domain, std::string_view op) {
  return {std::string(domain == "ai.onnx" ? "" : domain), std::string(op)};
}

} // namespace

void glow::registerHostOperators(std::span<const HostEntry> entries) {
  HostEntries &rows = HostEntries::instance();
  std::lock_guard lock(rows.mutex);
  for (const HostEntry &entry : entries)
    rows.all[keyOf(entry.domain, entry.op)].try_emplace(entry.since, &entry);
}

const HostEntry *glow::findHostOperator(std::string_view domain,
                                        std::string_view op, int64_t opset) {
  HostEntries &rows = HostEntries::instance();
  std::lock_guard lock(rows.mutex);
  auto found = rows.all.find(keyOf(domain, op));
  if (found == rows.all.end())
    return nullptr;
  auto next = found->second.upper_bound(opset);
  // The newest version that the opset includes.
  return next == found->second.begin() ? nullptr : std::prev(next)->second;
}

std::vector<const HostEntry *> glow::hostEntries() {
  HostEntries &rows = HostEntries::instance();
  std::lock_guard lock(rows.mutex);
  std::vector<const HostEntry *> result;
  for (auto &[key, versions] : rows.all)
    for (auto &[since, entry] : versions)
      result.push_back(entry);
  return result;
}

//===----------------------------------------------------------------------===//
// Inputs and outputs
//===----------------------------------------------------------------------===//

std::string HostCall::misuse(const HostEntry &entry) const {
  size_t count = inputs.size();
  // Absent inputs at the end are not passed at all.
  while (count && !inputs[count - 1])
    --count;
  if (count > entry.maxInputs)
    return "it has " + std::to_string(count) + " inputs, more than " +
           std::to_string(entry.maxInputs);
  for (size_t i = 0; i < entry.minInputs; ++i) {
    std::string_view input = entry.inputs[i];
    if (!input.ends_with("?") && (i >= count || !inputs[i]))
      return "input '" + std::string(input) + "' is missing";
  }
  for (const auto &[name, value] : attributes)
    if (std::ranges::find(entry.attributes, std::string_view(name)) ==
        entry.attributes.end())
      return "attribute '" + name + "' is not known";
  return "";
}

Status HostCall::wrongKind(unsigned index, const char *wanted) const {
  const HostValue *value = input(index);
  return failure(Code::InvalidArgument, "input ", index, " is ",
                 value ? value->text() : "absent", ", it should be ", wanted);
}

Result<const Tensor *> HostCall::tensor(unsigned index) const {
  const HostValue *value = input(index);
  if (value && value->tensor())
    return value->tensor();
  return wrongKind(index, "a tensor of numbers");
}

Result<const Strings *> HostCall::strings(unsigned index) const {
  const HostValue *value = input(index);
  if (value && value->strings())
    return value->strings();
  return wrongKind(index, "a tensor of strings");
}

Result<const HostValue::Sequence *> HostCall::sequence(unsigned index) const {
  const HostValue *value = input(index);
  if (value && value->sequence())
    return value->sequence();
  return wrongKind(index, "a sequence");
}

Result<const Map *> HostCall::map(unsigned index) const {
  const HostValue *value = input(index);
  if (value && value->map())
    return value->map();
  return wrongKind(index, "a map");
}

template <typename To>
static Result<std::vector<To>> converted(const Tensor &tensor) {
  Status room =
      MemoryBudget::check(uint64_t(tensor.type().elements()) * sizeof(To));
  if (!room.ok())
    return room;
  return visitKind(tensor.type().kind,
                   [&]<typename From>(std::type_identity<From>) {
                     std::vector<To> list;
                     list.reserve(size_t(tensor.type().elements()));
                     for (const From &element : tensor.elements<From>())
                       list.push_back(static_cast<To>(element));
                     return list;
                   });
}

Result<Ints> HostCall::ints(unsigned index) const {
  Result<const Tensor *> found = tensor(index);
  if (!found)
    return found.status();
  if (isFloat((*found)->type().kind))
    return wrongKind(index, "a tensor of integers");
  return converted<int64_t>(**found);
}

Result<Reals> HostCall::reals(unsigned index) const {
  Result<const Tensor *> found = tensor(index);
  if (!found)
    return found.status();
  return converted<double>(**found);
}

Result<int64_t> HostCall::intOf(unsigned index) const {
  Result<const Tensor *> found = tensor(index);
  if (!found)
    return found.status();
  if ((*found)->type().elements() != 1)
    return wrongKind(index, "one integer");
  Result<Ints> all = ints(index);
  if (!all)
    return all.status();
  return all->front();
}

Status HostCall::setOutput(unsigned index, Result<Tensor> value) {
  if (!value)
    return value.status();
  setOutput(index, HostValue(value.take()));
  return Status();
}

Status HostCall::setOutput(unsigned index, Result<HostValue> value) {
  if (!value)
    return value.status();
  setOutput(index, value.take());
  return Status();
}
