//===- Packager.h - execution providers of plug-ins -------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_PACKAGER_PACKAGER_H
#define GLOW_PACKAGER_PACKAGER_H

#include "glow/Base/Status.h"

namespace glow {

/// A plug-in whose backend becomes an execution provider of ONNX Runtime.
struct ProviderRequest {
  std::string plugin;  ///< the file, which this program has loaded
  std::string backend; ///< a backend of the plug-in
  std::string folder;  ///< made if it does not exist
  std::string version; ///< the wheel's, as PEP 440 has it
};

struct PackagedProvider {
  std::string name;    ///< in ONNX Runtime: "NpuExecutionProvider"
  std::string module;  ///< of Python: "npu_ep"
  std::string library; ///< the path that ONNX Runtime is given
  std::string wheel;   ///< the path of the wheel
  uint64_t libraries;  ///< their number, that of the provider included
  uint64_t bytes;      ///< of all libraries
};

/// Writes the provider's library, the plug-in and all libraries that both need
/// into the subfolder `lib`, licence texts into `licenses`, and a wheel with
/// the same files beside them. All files are renamed together when they are
/// whole.
///
/// The libraries of the C and C++ systems are not copied. Others are found
/// where this program has found them. Fails with Code::NotFound where a library
/// is missing, and with Code::InvalidArgument if a file cannot be written, or
/// the version is of another form.
Result<PackagedProvider> packageProvider(const ProviderRequest &request);

} // namespace glow

#endif // GLOW_PACKAGER_PACKAGER_H
