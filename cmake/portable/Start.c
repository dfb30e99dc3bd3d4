/* SPDX-License-Identifier: MIT */
/* A program's begin as glibc 2.31 has it: there the program calls its own initialisers,
   later ones look for them themselves, unless they are given any. */

typedef int Main(int, char **, char **);
typedef void Initialiser(int, char **, char **);

int oldStart(Main *program, int count, char **arguments,
             int (*begin)(int, char **, char **), void (*end)(void),
             void (*unload)(void), void *stack);
__asm__(".symver oldStart, __libc_start_main@GLIBC_2.2.5");

extern Initialiser *__init_array_start[] __attribute__((visibility("hidden")));
extern Initialiser *__init_array_end[] __attribute__((visibility("hidden")));

static int initialise(int count, char **arguments, char **surroundings) {
  for (Initialiser **each = __init_array_start; each != __init_array_end; ++each)
    (*each)(count, arguments, surroundings);
  return 0;
}

__attribute__((visibility("hidden"))) int
__wrap___libc_start_main(Main *program, int count, char **arguments,
                         int (*begin)(int, char **, char **), void (*end)(void),
                         void (*unload)(void), void *stack) {
  (void)begin; /* null, from a glibc that does without */
  return oldStart(program, count, arguments, initialise, end, unload, stack);
}
