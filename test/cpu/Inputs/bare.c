/* Runs small.c below qemu's system calls of Linux, without a library of C: bare
   WEIGHTS INPUT OUTPUT. The names of the files are where a stack begins. */

#include <stddef.h>
#include <stdint.h>

uint8_t *weights(void), *input(void), *output(void);
size_t weightsBytes(void), inputBytes(void), outputBytes(void);
int run(void);

static long call(long number, long a, long b, long c) {
  register long r0 __asm__("r0") = a, r1 __asm__("r1") = b, r2 __asm__("r2") = c;
  register long r7 __asm__("r7") = number;
  __asm__ volatile("svc 0" : "+r"(r0) : "r"(r1), "r"(r2), "r"(r7) : "memory");
  return r0;
}
enum { exitCall = 1, readCall = 3, writeCall = 4, openCall = 5 };
enum { readOnly = 0, writeNew = 01 | 0100 | 01000 };

static int transfer(int number, const char *name, uint8_t *to, size_t bytes) {
  long file = call(openCall, (long)name, number == readCall ? readOnly : writeNew, 0644);
  while (file >= 0 && bytes) {
    long moved = call(number, file, (long)to, (long)bytes);
    if (moved <= 0)
      return 0;
    to += moved;
    bytes -= (size_t)moved;
  }
  return file >= 0;
}

void start(const long *stack) {
  char **names = (char **)(stack + 1);
  if (*stack != 4 || !transfer(readCall, names[1], weights(), weightsBytes()) ||
      !transfer(readCall, names[2], input(), inputBytes()))
    call(exitCall, 2, 0, 0);
  int failed = run();
  if (!transfer(writeCall, names[3], output(), outputBytes()))
    failed = 2;
  call(exitCall, failed, 0, 0);
}

__attribute__((naked)) void _start(void) {
  __asm__ volatile("mov r0, sp\n bl start");
}
