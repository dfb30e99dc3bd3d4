//===- Scope.h - names of a plug-in that Glow has too -----------*- C++ -*-===//

#ifndef GLOW_GEN_SCOPE_H
#define GLOW_GEN_SCOPE_H

namespace glow::gen {

/// `glow-classgen -scope ROOT -library DIR -out DIR -o STAMP -d DEPFILE`, with
/// -I as usual. Where records of the file ROOT, or of those it includes, have
/// names that records of the library have, makes a copy of the library below
/// `out`, for the include path, in which these are called `Glow_NAME`; else
/// removes it. The stamp lists the names. TableGen has one scope for all names,
/// and so a plug-in may go on with its own when Glow comes to have them.
/// Returns the exit status.
int scopeMain(int argc, char **argv);

} // namespace glow::gen

#endif // GLOW_GEN_SCOPE_H
