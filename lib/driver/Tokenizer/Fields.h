//===- Fields.h - objects of a tokenizer.json -------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_TOKENIZER_FIELDS_H
#define GLOW_LIB_TOKENIZER_FIELDS_H

#include "glow/Base/Status.h"
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace glow::tokenizer {

using Json = nlohmann::json;

/// Largest id, exclusive. Texts and tables take memory for tokens alone.
inline constexpr uint64_t mostIds = uint64_t(1) << 31;

/// Parses JSON of at most 32 levels, without duplicate keys.
Result<Json> parseJson(std::string_view text);

/// A value as a part of a message, shortened.
std::string shown(const Json &value);

/// An object of the file. Readers get values of a kind; the first mistake of
/// the file is kept in a Status, and readers continue with defaults.
class Fields {
public:
  /// `object` and `status` outlive the fields. A value that is no object is a
  /// mistake.
  Fields(const Json &object, std::string place, Status &status);

  bool ok() const { return status->ok(); }
  const std::string &place() const { return where; }

  /// Other keys than these and "type" are unsupported.
  void allow(std::initializer_list<std::string_view> keys) const;

  /// Whether a key has a value other than null.
  bool has(const char *key) const { return find(key); }
  /// The value of a key; null if it is absent.
  const Json *find(const char *key) const;

  std::string text(const char *key) const;
  std::string textOr(const char *key, std::string orElse) const;
  bool flag(const char *key) const;
  bool flagOr(const char *key, bool orElse) const;
  /// A number from 0 to `mostIds` - 1.
  uint32_t number(const char *key) const;
  /// A text of one character.
  std::string character(const char *key) const;
  /// A text among `choices`; its index.
  size_t choice(const char *key,
                std::span<const std::string_view> choices) const;
  Fields object(const char *key) const;
  std::vector<Fields> objects(const char *key) const;

  /// Records that the value of `key`, or the object itself for nullptr, should
  /// be different.
  void fail(const char *key, const std::string &shouldBe,
            Code code = Code::InvalidArgument) const;
  /// Records a mistake, for which there is a message.
  void fail(const Status &mistake) const;

private:
  std::string placeOf(const char *key) const;

  const Json *json;
  std::string where;
  Status *status;
};

} // namespace glow::tokenizer

#endif // GLOW_LIB_TOKENIZER_FIELDS_H
