//===- Libraries.h - shared libraries and their needs -----------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_PACKAGER_LIBRARIES_H
#define GLOW_LIB_PACKAGER_LIBRARIES_H

#include "glow/Base/Status.h"
#include <map>
#include <vector>

namespace glow {

/// The names of the libraries that a shared library is linked with, in its
/// order. Fails with Code::InvalidArgument for other files.
Result<std::vector<std::string>> neededBy(const std::string &library);

/// Adds all libraries that the `libraries`, paths by their file names, need
/// directly or not. A library is searched in `folder`, then among those of this
/// program, then where the system's loader looks. The libraries of C and C++
/// are left out, which every system has. Fails with Code::NotFound if one is
/// nowhere.
Status addNeeded(std::map<std::string, std::string> &libraries,
                 const std::string &folder);

/// Names of libraries in a package, by those in the system.
using LibraryNames = std::map<std::string, std::string>;

/// New names for the libraries that a process must not share with other users.
/// `user` is the library of the package that needs them. The new names depend
/// on the version in its name. Fails as neededBy.
Result<LibraryNames>
ownNames(const std::map<std::string, std::string> &libraries,
         const std::string &user);
std::string nameIn(const LibraryNames &names, const std::string &name);

/// A copy of a shared library with the new names, in its needs and its own.
std::string withNames(std::string_view library, const LibraryNames &names);

/// The path of an installed file of Glow that plug-ins are packaged with. Fails
/// with Code::NotFound and all places that were searched.
Result<std::string> packagedFile(const std::string &name);

/// A shared library without code, for the processor of the file `like`, that
/// needs other libraries, which are in its folder. A symbol is
/// resolved in the first library that has it.
Result<std::string> scopeLibrary(const std::vector<std::string> &needed,
                                 const std::string &like);

} // namespace glow

#endif // GLOW_LIB_PACKAGER_LIBRARIES_H
