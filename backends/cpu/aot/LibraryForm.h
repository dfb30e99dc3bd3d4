//===- LibraryForm.h - bundles as libraries of builds ----------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_CPU_AOT_LIBRARYFORM_H
#define GLOW_BACKENDS_CPU_AOT_LIBRARYFORM_H

#include "glow/Program/Emit.h"
#include <vector>

namespace glow::cpu {

/// Moves the files of a bundle to the paths where a build system expects them,
/// and adds the file that describes them. The first file is the code.
void addForm(std::vector<EmittedFile> &files, const EmitRequest &request,
             const std::string &processor);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_AOT_LIBRARYFORM_H
