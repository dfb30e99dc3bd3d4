/* What every compiler may call, and for Arm by the names of its interface, for programs
   without a library of C. Volatile, since a compiler would have these functions call
   themselves. */

#include <stddef.h>
#include <stdint.h>

void *memmove(void *to, const void *from, size_t bytes) {
  volatile uint8_t *a = to;
  const uint8_t *b = from;
  if ((uintptr_t)to < (uintptr_t)from)
    for (size_t i = 0; i < bytes; ++i)
      a[i] = b[i];
  else
    while (bytes--)
      a[bytes] = b[bytes];
  return to;
}
void *memcpy(void *to, const void *from, size_t bytes) {
  return memmove(to, from, bytes);
}
void *memset(void *to, int value, size_t bytes) {
  for (volatile uint8_t *a = to; bytes--;)
    *a++ = (uint8_t)value;
  return to;
}

/* The nearest integer, halves to even: from 2^23 on, floats are integers. */
float rintf(float x) {
  volatile float whole = x < 0 ? -0x1p23f : 0x1p23f;
  return x > -0x1p23f && x < 0x1p23f ? (x + whole) - whole : x;
}

#ifdef __arm__
/* For memory at any place, and at multiples of 4 and 8 bytes. */
#define BYTES(n) \
  void __aeabi_memcpy##n(void *to, const void *from, size_t bytes) { \
    memmove(to, from, bytes); \
  } \
  void __aeabi_memmove##n(void *to, const void *from, size_t bytes) { \
    memmove(to, from, bytes); \
  } \
  void __aeabi_memset##n(void *to, size_t bytes, int value) { \
    memset(to, value, bytes); \
  } \
  void __aeabi_memclr##n(void *to, size_t bytes) { memset(to, 0, bytes); }
BYTES()
BYTES(4)
BYTES(8)

/* Quotients of 64 bits, in r0 and r1, with the rest in r2 and r3. */
uint64_t divide(uint64_t a, uint64_t b, uint64_t *rest) {
  uint64_t quotient = 0, left = 0;
  for (int bit = 63; bit >= 0; --bit) {
    left = left << 1 | (a >> bit & 1);
    if (left >= b) {
      left -= b;
      quotient |= (uint64_t)1 << bit;
    }
  }
  *rest = left;
  return quotient;
}
int64_t divideSigned(int64_t a, int64_t b, int64_t *rest) {
  uint64_t left;
  uint64_t quotient = divide(a < 0 ? 0 - (uint64_t)a : (uint64_t)a,
                             b < 0 ? 0 - (uint64_t)b : (uint64_t)b, &left);
  *rest = (int64_t)(a < 0 ? 0 - left : left);
  return (int64_t)((a < 0) != (b < 0) ? 0 - quotient : quotient);
}
#define DIVISION(name, function) \
  __attribute__((naked)) void name(void) { \
    __asm__ volatile("push {r6, lr}\n sub sp, #16\n add r6, sp, #8\n" \
                     "str r6, [sp]\n bl " #function "\n" \
                     "ldrd r2, r3, [sp, #8]\n add sp, #16\n pop {r6, pc}"); \
  }
DIVISION(__aeabi_uldivmod, divide)
DIVISION(__aeabi_ldivmod, divideSigned)
#endif
