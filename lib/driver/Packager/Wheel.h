//===- Wheel.h - a package of Python ----------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_PACKAGER_WHEEL_H
#define GLOW_LIB_PACKAGER_WHEEL_H

#include "Archive.h"

namespace glow {

/// Writes a wheel for this kind of processor and any Python 3 (PEP 427).
class Wheel {
public:
  /// `name` is that of the package, an identifier of Python.
  Wheel(const std::string &folder, const std::string &name,
        const std::string &version);

  const std::string &path() const { return thePath; }

  /// Fails as Archive does.
  Status add(const std::string &name, std::string_view bytes,
             bool isExecutable = false);

  /// Adds the text of a licence. Fails as Archive does.
  Status addLicence(const std::string &name, std::string_view text);

  /// Writes the metadata and the list of all files. Fails as Archive does.
  Status finish(const std::string &summary);

  /// Whether a text is a version as PEP 440 spells it.
  static bool isVersion(const std::string &text);

private:
  std::string info() const { return name + "-" + version + ".dist-info/"; }

  std::string name, version, platform, thePath, record;
  std::string licences; ///< their fields of the metadata
  Archive archive;
};

} // namespace glow

#endif // GLOW_LIB_PACKAGER_WHEEL_H
