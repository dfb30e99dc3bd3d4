//===- Licences.h - licence texts of a package ------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_PACKAGER_LICENCES_H
#define GLOW_LIB_PACKAGER_LICENCES_H

#include <map>
#include <string>
#include <vector>

namespace glow {

/// Licence texts for the files of a package.
struct Licences {
  std::map<std::string, std::string> texts; ///< by file name: "libllvm22.txt"
  std::vector<std::string> missing; ///< libraries without a text, by file name
};

/// Glow's licence, and the texts that the packages of Debian have for libraries
/// at these paths, with the common licences that the texts refer to. `system`
/// is the root of the file system with dpkg's lists.
Licences licencesOf(const std::vector<std::string> &libraries,
                    const std::string &system = "");

} // namespace glow

#endif // GLOW_LIB_PACKAGER_LICENCES_H
