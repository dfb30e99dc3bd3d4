//===- Scope.h - names of a plug-in that Glow has too -----------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_GEN_SCOPE_H
#define GLOW_GEN_SCOPE_H

namespace glow::gen {

/// `glow-classgen -scope ROOT -library DIR -out DIR -o STAMP -d DEPFILE`, with
/// -I as usual. Finds names of the library that the file ROOT, or a file that
/// it includes, declares as well. If there are any, makes a copy of the library
/// below `out`, for the include path, in which these records are called
/// `Glow_NAME`; else removes the copy. The stamp lists the names. TableGen has
/// one scope for all names; so a plug-in can keep a name that a later Glow
/// declares. Returns the exit status.
int scopeMain(int argc, char **argv);

} // namespace glow::gen

#endif // GLOW_GEN_SCOPE_H
