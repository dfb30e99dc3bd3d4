#pragma once
#include "llvm/ADT/StringRef.h"
namespace glow::cpu {
struct VectorFunction {
  const char *function;
};
inline const VectorFunction *findVectorFunction(llvm::StringRef) {
  return nullptr;
}
} // namespace glow::cpu
