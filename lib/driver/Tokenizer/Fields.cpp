//===- Fields.cpp - objects of a tokenizer.json ---------------------------===//
// SPDX-License-Identifier: MIT

#include "Fields.h"
#include "Unicode.h"
#include <algorithm>
#include <unordered_set>

using namespace glow;
using namespace glow::tokenizer;

static constexpr int deepest = 32; ///< a usual file needs 8

Result<Json> tokenizer::parseJson(std::string_view text) {
  std::vector<std::unordered_set<std::string>> keys;
  Status status;
  auto watch = [&](int depth, Json::parse_event_t event, Json &value) {
    if (depth > deepest && status.ok())
      status = failure(Code::InvalidArgument, "is nested more than ", deepest,
                       " levels deep");
    if (depth > deepest)
      return false;
    if (event == Json::parse_event_t::object_start)
      keys.emplace_back();
    if (event == Json::parse_event_t::object_end)
      keys.pop_back();
    if (event == Json::parse_event_t::key && status.ok() &&
        !keys.back().insert(value.get_ref<const std::string &>()).second)
      status = failure(Code::InvalidArgument, "has the key ", shown(value),
                       " twice in one object");
    return true;
  };
  try {
    Json json = Json::parse(text, watch);
    if (!status.ok())
      return status;
    return json;
  } catch (const Json::exception &error) {
    // "[json.exception...] parse error at line 3, column 7: ..."
    const std::string what = error.what();
    return failure(Code::InvalidArgument, "is no JSON: ",
                   what.substr(std::min(what.size(), what.find("] ") + 2)));
  }
}

std::string tokenizer::shown(const Json &value) {
  if (value.is_object())
    return "an object";
  if (value.is_array())
    return "a list of " + std::to_string(value.size());
  constexpr size_t longest = 60;
  std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (text.size() <= longest)
    return text;
  return text.substr(0, validPrefix(text.substr(0, longest))) + "...";
}

static std::string listed(std::span<const std::string_view> names,
                          const std::string &last) {
  std::string all;
  for (size_t i = 0; i < names.size(); ++i) {
    all += i == 0 ? "" : i + 1 < names.size() ? ", " : " " + last + " ";
    all += "'" + std::string(names[i]) + "'";
  }
  return all;
}

Fields::Fields(const Json &object, std::string place, Status &status)
    : json(&object), where(std::move(place)), status(&status) {
  if (!object.is_object())
    fail(nullptr, "an object");
}

void Fields::allow(std::initializer_list<std::string_view> keys) const {
  if (!json->is_object())
    return;
  for (const auto &[key, value] : json->items())
    if (key != "type" && std::ranges::find(keys, key) == keys.end())
      fail(key.c_str(),
           "absent; the supported fields are " +
               listed(std::span(keys.begin(), keys.size()), "and"),
           Code::Unsupported);
}

const Json *Fields::find(const char *key) const {
  if (!json->is_object())
    return nullptr;
  auto found = json->find(key);
  return found == json->end() || found->is_null() ? nullptr : &*found;
}

std::string Fields::text(const char *key) const {
  const Json *value = find(key);
  if (!value || !value->is_string()) {
    fail(key, "a text");
    return "";
  }
  return value->get<std::string>();
}

std::string Fields::textOr(const char *key, std::string orElse) const {
  return has(key) ? text(key) : orElse;
}

bool Fields::flag(const char *key) const {
  const Json *value = find(key);
  if (!value || !value->is_boolean()) {
    fail(key, "true or false");
    return false;
  }
  return value->get<bool>();
}

bool Fields::flagOr(const char *key, bool orElse) const {
  return has(key) ? flag(key) : orElse;
}

uint32_t Fields::number(const char *key) const {
  const Json *value = find(key);
  if (!value || !value->is_number_unsigned() ||
      value->get<uint64_t>() >= mostIds) {
    fail(key, "a number from 0 to " + std::to_string(mostIds - 1));
    return 0;
  }
  return value->get<uint32_t>();
}

std::string Fields::character(const char *key) const {
  std::string value = text(key);
  size_t end = 0;
  if (!value.empty())
    nextCharacter(value, end);
  if (value.empty() || end != value.size()) {
    fail(key, "a text of one character");
    return " ";
  }
  return value;
}

size_t Fields::choice(const char *key,
                      std::span<const std::string_view> choices) const {
  const Json *value = find(key);
  if (value && value->is_string())
    for (size_t i = 0; i < choices.size(); ++i)
      if (value->get_ref<const std::string &>() == choices[i])
        return i;
  fail(key, listed(choices, "or"), Code::Unsupported);
  return 0;
}

Fields Fields::object(const char *key) const {
  static const Json none = Json::object();
  const Json *value = find(key);
  if (!value)
    fail(key, "an object");
  return Fields(value ? *value : none, placeOf(key), *status);
}

std::vector<Fields> Fields::objects(const char *key) const {
  const Json *value = find(key);
  std::vector<Fields> list;
  if (!value || !value->is_array()) {
    fail(key, "a list");
    return list;
  }
  for (size_t i = 0; i < value->size() && ok(); ++i)
    list.emplace_back((*value)[i], placeOf(key) + "[" + std::to_string(i) + "]",
                      *status);
  return list;
}

std::string Fields::placeOf(const char *key) const {
  return where.empty() || !key ? where + (key ? key : "") : where + "." + key;
}

void Fields::fail(const char *key, const std::string &shouldBe,
                  Code code) const {
  const std::string place = placeOf(key);
  const Json *value = key ? find(key) : json;
  fail(failure(code, place.empty() ? "the file" : place, " is ",
               value ? shown(*value) : "absent", ", it should be ", shouldBe));
}

void Fields::fail(const Status &mistake) const {
  if (status->ok())
    *status = mistake;
}
