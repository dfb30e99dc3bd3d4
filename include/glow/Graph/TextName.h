//===- TextName.h - names as text may have them -----------------*- C++ -*-===//

#ifndef GLOW_GRAPH_TEXTNAME_H
#define GLOW_GRAPH_TEXTNAME_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace glow {

/// A name that the parser reads back as it is: digits only, or letters, digits
/// and `_$.-` with no digit in front. Any other character becomes `_`.
std::string textName(llvm::StringRef name);

} // namespace glow

#endif // GLOW_GRAPH_TEXTNAME_H
