//===- LibraryForm.h - bundles as libraries of builds ----------*- C++ -*-===//

#ifndef GLOW_BACKENDS_CPU_AOT_LIBRARYFORM_H
#define GLOW_BACKENDS_CPU_AOT_LIBRARYFORM_H

#include "glow/Program/Emit.h"
#include <vector>

namespace glow::cpu {

/// Gives the files of a bundle, whose first one is its code, the places where a
/// build looks for them, and adds the file that describes them to the build.
void addForm(std::vector<EmittedFile> &files, const EmitRequest &request,
             const std::string &processor);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_AOT_LIBRARYFORM_H
