//===- Parts.h - buffers that lie within another ----------------*- C++ -*-===//

#ifndef GLOW_MEMORY_PARTS_H
#define GLOW_MEMORY_PARTS_H

#include "glow/IR/Lifetimes.h"

#include <string>

namespace glow::ir {

/// What is wrong with a buffer that lies within another; nothing if its memory
/// may be that of the whole. The first instruction of the whole must put the
/// part there, and from then on none may write the one while the other is in
/// use.
std::string faultOfPart(const Lifetimes &lifetimes, AllocOp part);

} // namespace glow::ir

#endif // GLOW_MEMORY_PARTS_H
