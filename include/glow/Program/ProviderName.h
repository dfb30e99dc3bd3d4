//===- ProviderName.h - names of a backend in ONNX Runtime ------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_PROGRAM_PROVIDERNAME_H
#define GLOW_PROGRAM_PROVIDERNAME_H

#include <cctype>
#include <string>
#include <string_view>

namespace glow {

/// The execution provider of a backend, in ONNX Runtime's form:
/// "MyChipExecutionProvider" for "my_chip".
inline std::string providerNameOf(std::string_view backend) {
  std::string name;
  bool begins = true;
  for (char c : backend) {
    if (std::isalnum(static_cast<unsigned char>(c)))
      name += begins ? char(std::toupper(static_cast<unsigned char>(c))) : c;
    begins = !std::isalnum(static_cast<unsigned char>(c));
  }
  return name + "ExecutionProvider";
}

/// The library of a provider is this prefix, the backend, and ".so". Beside it
/// lie the plug-in and the library that opens it, with other endings.
inline constexpr std::string_view providerFilePrefix = "libonnxruntime-ep-";
inline constexpr std::string_view providerPluginEnding = "-plugin.so";
inline constexpr std::string_view providerScopeEnding = "-scope.so";

} // namespace glow

#endif // GLOW_PROGRAM_PROVIDERNAME_H
