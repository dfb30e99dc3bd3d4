//===- SanitizerOptions.cpp - options of the sanitizers -------------------===//
// SPDX-License-Identifier: MIT
//
// Some tests ask for more memory than there is. That should be refused, as it
// is without a sanitiser, and not end the process. One has threads in a child.
//
//===----------------------------------------------------------------------===//

extern "C" const char *__asan_default_options() {
  return "allocator_may_return_null=1";
}

extern "C" const char *__tsan_default_options() {
  return "allocator_may_return_null=1:die_after_fork=0";
}
