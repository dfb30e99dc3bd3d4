/* Functions of floats of a compiler's own library, for processors without a unit for
   floats: made for one that has such a unit, so that they are short. Arithmetic takes as
   many instructions for every program then, and what is counted is the rest. */

#include <stdint.h>

#ifdef __arm__
#define FUNCTION(arm, other) __aeabi_##arm
#else
#define FUNCTION(arm, other) other
#endif
typedef float f32;

f32 FUNCTION(fadd, __addsf3)(f32 a, f32 b) { return a + b; }
f32 FUNCTION(fsub, __subsf3)(f32 a, f32 b) { return a - b; }
f32 FUNCTION(fmul, __mulsf3)(f32 a, f32 b) { return a * b; }
f32 FUNCTION(fdiv, __divsf3)(f32 a, f32 b) { return a / b; }
int32_t FUNCTION(f2iz, __fixsfsi)(f32 a) { return (int32_t)a; }
uint32_t FUNCTION(f2uiz, __fixunssfsi)(f32 a) { return (uint32_t)a; }
f32 FUNCTION(i2f, __floatsisf)(int32_t a) { return (f32)a; }
f32 FUNCTION(ui2f, __floatunsisf)(uint32_t a) { return (f32)a; }
uint32_t __mulsi3(uint32_t a, uint32_t b) { return a * b; }
#ifdef __arm__
int __aeabi_fcmpeq(f32 a, f32 b) { return a == b; }
int __aeabi_fcmplt(f32 a, f32 b) { return a < b; }
int __aeabi_fcmple(f32 a, f32 b) { return a <= b; }
int __aeabi_fcmpge(f32 a, f32 b) { return a >= b; }
int __aeabi_fcmpgt(f32 a, f32 b) { return a > b; }
int __aeabi_fcmpun(f32 a, f32 b) { return a != a || b != b; }
#else
int __eqsf2(f32 a, f32 b) { return !(a == b); }
int __nesf2(f32 a, f32 b) { return !(a == b); }
int __ltsf2(f32 a, f32 b) { return a < b ? -1 : 1; }
int __lesf2(f32 a, f32 b) { return a <= b ? -1 : 1; }
int __gtsf2(f32 a, f32 b) { return a > b ? 1 : -1; }
int __gesf2(f32 a, f32 b) { return a >= b ? 1 : -1; }
int __unordsf2(f32 a, f32 b) { return a != a || b != b; }
#endif
