/* SPDX-License-Identifier: MIT */
/* Archives of the distribution are code for programs, which have copies of the variables
   of glibc. A library with such archives has its own copy of this one
   (LINKER:--wrap=stderr). */

#include <stdio.h>

extern FILE *__real_stderr;
__attribute__((visibility("hidden"))) FILE *__wrap_stderr;

/* Before the constructors of other sources. */
__attribute__((constructor(101))) static void copyStreams(void) {
  __wrap_stderr = __real_stderr;
}
