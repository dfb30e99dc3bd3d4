/* SPDX-License-Identifier: MIT */
/* Functions of glibc as version 2.31 has them, for programs that are linked with a later
   one: `--wrap=NAME` has calls of NAME come here. See cmake/Portable.cmake. */

#define _GNU_SOURCE
#include <malloc.h>
#include <stdint.h>
#include <sys/random.h>
#include <sys/stat.h>

/* Functions that moved from one library to another, and have a new version since. */
#define MOVED(name, version) \
  __asm__(".pushsection .text." #name ",\"ax\",@progbits\n" \
          ".globl __wrap_" #name "\n" \
          ".hidden __wrap_" #name "\n" \
          ".type __wrap_" #name ", @function\n" \
          "__wrap_" #name ":\n" \
          "jmp old_" #name "@PLT\n" \
          ".popsection\n" \
          ".symver old_" #name ", " #name "@GLIBC_" version "\n");
#include "Moved.inc"

/* Functions that headers had in themselves, by calls with the number of a structure. */
enum { statVersion = 1, nodeVersion = 0 };
int __xstat(int version, const char *path, struct stat *to);
int __lxstat(int version, const char *path, struct stat *to);
int __fxstat(int version, int file, struct stat *to);
int __xmknod(int version, const char *path, mode_t mode, dev_t *device);
#define OLD(name) __asm__(".symver " #name ", " #name "@GLIBC_2.2.5");
OLD(__xstat)
OLD(__lxstat)
OLD(__fxstat)
OLD(__xmknod)

#define HIDDEN __attribute__((visibility("hidden")))

HIDDEN int __wrap_stat(const char *path, struct stat *to) {
  return __xstat(statVersion, path, to);
}
HIDDEN int __wrap_lstat(const char *path, struct stat *to) {
  return __lxstat(statVersion, path, to);
}
HIDDEN int __wrap_fstat(int file, struct stat *to) {
  return __fxstat(statVersion, file, to);
}
/* The same structure, where files have sizes of 64 bits anyway. */
HIDDEN int __wrap_stat64(const char *path, struct stat64 *to) {
  return __xstat(statVersion, path, (struct stat *)to);
}
HIDDEN int __wrap_lstat64(const char *path, struct stat64 *to) {
  return __lxstat(statVersion, path, (struct stat *)to);
}
HIDDEN int __wrap_fstat64(int file, struct stat64 *to) {
  return __fxstat(statVersion, file, (struct stat *)to);
}
HIDDEN int __wrap_mknod(const char *path, mode_t mode, dev_t device) {
  return __xmknod(nodeVersion, path, mode, &device);
}

/* Functions that there were not. */
HIDDEN uint32_t __wrap_arc4random(void) {
  uint32_t value;
  while (getrandom(&value, sizeof value, 0) != sizeof value)
    ;
  return value;
}
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
HIDDEN struct mallinfo2 __wrap_mallinfo2(void) {
  struct mallinfo old = mallinfo(); /* its numbers have 32 bits */
  return (struct mallinfo2){
      .arena = (unsigned)old.arena,       .ordblks = (unsigned)old.ordblks,
      .smblks = (unsigned)old.smblks,     .hblks = (unsigned)old.hblks,
      .hblkhd = (unsigned)old.hblkhd,     .usmblks = (unsigned)old.usmblks,
      .fsmblks = (unsigned)old.fsmblks,   .uordblks = (unsigned)old.uordblks,
      .fordblks = (unsigned)old.fordblks, .keepcost = (unsigned)old.keepcost};
}

/* Whether there is one thread only: never known. */
HIDDEN char __libc_single_threaded = 0;
