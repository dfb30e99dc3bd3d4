//===- SanitizerOptions.cpp - what all programs ask of the sanitisers -----===//
//
// Some tests ask for more memory than there is. That should be refused, as it
// is without a sanitiser, and not end the process.
//
// Allocators of LLVM's headers mark memory as poisoned where they are compiled
// with a sanitiser, and hand it out unmarked where they are not, as in LLVM's
// packaged libraries. So marks of a program's own count for nothing.
//
//===----------------------------------------------------------------------===//

extern "C" const char *__asan_default_options() {
  return "allocator_may_return_null=1:allow_user_poisoning=0";
}

extern "C" const char *__tsan_default_options() {
  return "allocator_may_return_null=1";
}
