//===- Table.cpp - the table of the library -------------------------------===//
// SPDX-License-Identifier: MIT

#include "library/Table.h"
#include <cstdio>

using namespace glow;
using namespace glow::ort;

//===----------------------------------------------------------------------===//
// Functions of the table
//===----------------------------------------------------------------------===//

namespace {
/// The name and the arguments of an entry, as Table.def has them.
struct Text {
  const char *name;
  std::string_view arguments;
};

/// The type of an argument that may be null.
template <typename T> struct Optional {};

template <typename T> struct Plain {
  using Type = T;
  static constexpr bool isNeeded = std::is_pointer_v<T>;
};
template <typename T> struct Plain<Optional<T>> {
  using Type = T;
  static constexpr bool isNeeded = false;
};
} // namespace

/// The name of argument `index`, which is the last word of its declaration.
static std::string argumentName(std::string_view list, size_t index) {
  list.remove_prefix(1);
  for (; index; --index)
    list.remove_prefix(list.find(',') + 1);
  list = list.substr(0, list.find_first_of(",)", list.find("ORT_OPT") == 0
                                                     ? list.find(')') + 1
                                                     : 0));
  return std::string(list.substr(list.find_last_of(" *)") + 1));
}

static void refuseNull(const Text &text, size_t index) {
  throw Failure(ORT_INVALID_ARGUMENT,
                std::string(text.name) + ": the argument '" +
                    argumentName(text.arguments, index) + "' is null");
}

template <typename Marked, typename T>
static void checkArgument(const Text &text, size_t index, T argument) {
  if constexpr (Plain<Marked>::isNeeded)
    if (!argument)
      refuseNull(text, index);
}

namespace {
/// The function of an entry that is Here or Kept.
template <const Text &text, auto body, typename Marked> struct Checked;
template <const Text &text, auto body, typename... Marked>
struct Checked<text, body, void(Marked...)> {
  static OrtStatus *call(typename Plain<Marked>::Type... arguments) noexcept {
    try {
      size_t index = 0;
      (checkArgument<Marked>(text, index++, arguments), ...);
      if constexpr (!std::is_null_pointer_v<decltype(body)>)
        body(arguments...);
      return nullptr;
    } catch (...) {
      return statusOfException();
    }
  }
};

/// The function of an entry that is Absent.
template <const Text &text, typename Type> struct Absent;
template <const Text &text, typename Result, typename... Arguments>
struct Absent<text, Result(Arguments...)> {
  static Result call(Arguments...) noexcept {
    if constexpr (std::is_same_v<Result, OrtStatus *>)
      return entry::CreateStatus(
          ORT_NOT_IMPLEMENTED,
          (std::string(text.name) +
           " is not in Glow's library of ONNX Runtime's interface")
              .c_str());
    else
      return Result();
  }
};
} // namespace

namespace texts {
#define ORT_ENTRY(HOW, RESULT, NAME, ARGUMENTS)                                \
  static constexpr Text NAME = {#NAME, #ARGUMENTS};
#include "table/Table.def"
} // namespace texts

namespace marked {
#define ORT_OPT(TYPE) Optional<TYPE>
#define ORT_ENTRY(HOW, RESULT, NAME, ARGUMENTS) using NAME = void ARGUMENTS;
#include "table/Table.def"
} // namespace marked

#define ORT_TABLE_Here(NAME)                                                   \
  Checked<texts::NAME, &entry::NAME, marked::NAME>::call
#define ORT_TABLE_Kept(NAME) Checked<texts::NAME, nullptr, marked::NAME>::call
#define ORT_TABLE_Direct(NAME) entry::NAME
#define ORT_TABLE_Absent(NAME)                                                 \
  Absent<texts::NAME, std::remove_pointer_t<decltype(OrtApi::NAME)>>::call

static const OrtApi table = {
#define ORT_ENTRY(HOW, RESULT, NAME, ARGUMENTS) .NAME = ORT_TABLE_##HOW(NAME),
#include "table/Table.def"
};

//===----------------------------------------------------------------------===//
// Functions of the library
//===----------------------------------------------------------------------===//

static const OrtApi *apiOf(uint32_t version) {
  if (version >= 1 && version <= ORT_API_VERSION)
    return &table;
  std::fprintf(stderr,
               "Glow's library of ONNX Runtime's interface has versions 1 to "
               "%d of the table, and version %u is asked for\n",
               ORT_API_VERSION, version);
  return nullptr;
}

static const OrtApiBase base = {apiOf, [] { return ORT_RELEASE; }};

// Versions.inc gives these functions the names that applications link.
#define GLOW_EXPORT extern "C" __attribute__((visibility("default")))

GLOW_EXPORT const OrtApiBase *glowOrtGetApiBase() { return &base; }

GLOW_EXPORT OrtStatus *
glowOrtSessionOptionsAppendExecutionProvider_CPU(OrtSessionOptions *, int) {
  return nullptr;
}

#include "Versions.inc"
