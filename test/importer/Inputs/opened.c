/* A library for LD_PRELOAD: each open of the file $OPENED_FILE by the process,
 * and by those it starts, adds a byte to the file $OPENED_COUNT. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Opens the count by the system's own call, which is not counted. */
static void count(const char *path) {
  const char *file = getenv("OPENED_FILE"), *counts = getenv("OPENED_COUNT");
  char real[4096];
  if (!file || !counts || !path || !realpath(path, real) || strcmp(real, file))
    return;
  int (*next)(const char *, int, ...) = dlsym(RTLD_NEXT, "open");
  int handle = next(counts, O_WRONLY | O_APPEND | O_CLOEXEC);
  if (handle < 0 || write(handle, "o", 1) != 1)
    abort();
  close(handle);
}

#define OPEN(name)                                                             \
  int name(const char *path, int flags, ...) {                                 \
    va_list more;                                                              \
    va_start(more, flags);                                                     \
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0;    \
    va_end(more);                                                              \
    count(path);                                                               \
    int (*next)(const char *, int, ...) = dlsym(RTLD_NEXT, #name);             \
    return next(path, flags, mode);                                            \
  }
OPEN(open)
OPEN(open64)

/* What open is where the compiler checks that no mode is missing. */
#define OPEN2(name)                                                            \
  int name(const char *path, int flags) {                                      \
    count(path);                                                               \
    int (*next)(const char *, int) = dlsym(RTLD_NEXT, #name);                  \
    return next(path, flags);                                                  \
  }
OPEN2(__open_2)
OPEN2(__open64_2)

/* Of these only whole paths are known here: a folder's handle is not. */
#define OPENAT(name)                                                           \
  int name(int folder, const char *path, int flags, ...) {                     \
    va_list more;                                                              \
    va_start(more, flags);                                                     \
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0;    \
    va_end(more);                                                              \
    if (folder == AT_FDCWD || *path == '/')                                    \
      count(path);                                                             \
    int (*next)(int, const char *, int, ...) = dlsym(RTLD_NEXT, #name);        \
    return next(folder, path, flags, mode);                                    \
  }
OPENAT(openat)
OPENAT(openat64)

#define FOPEN(name)                                                            \
  FILE *name(const char *path, const char *mode) {                             \
    count(path);                                                               \
    FILE *(*next)(const char *, const char *) = dlsym(RTLD_NEXT, #name);       \
    return next(path, mode);                                                   \
  }
FOPEN(fopen)
FOPEN(fopen64)
