//===- QuickTest.cpp - our code generator against LLVM's ------------------===//
// SPDX-License-Identifier: MIT
//
// The tests share one harness, which runs a program by our code generator and
// by LLVM's. The file has over 500 lines because each kind of instruction has a
// test.
//
//===----------------------------------------------------------------------===//

#include "quick/Quick.h"
#include "compile/Image.h"
#include "quick/Clean.h"
#include "llvm-c/Disassembler.h"
#include "llvm-c/Target.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/Support/SourceMgr.h"
#include <array>
#include <gtest/gtest.h>
#include <random>

using namespace glow;
using namespace glow::cpu;
using namespace llvm;

namespace {

constexpr size_t room = 1024;
using Run = void (*)(int64_t *, float *, int64_t);

/// The target of a processor; the host's target for an empty name.
cpu::Target targetOf(const std::string &processor) {
  CodeOptions options;
  if (!processor.empty())
    options.settings["cpu"] = processor;
  return cpu::Target::create(options).take();
}

/// The function `run` of a module in LLVM's language.
std::unique_ptr<CodeModule> parse(LLVMContext &context,
                                  const cpu::Target &target,
                                  const std::string &text) {
  auto module = std::make_unique<CodeModule>(context, target);
  SMDiagnostic error;
  auto ir = parseAssemblyString(text, error, context);
  EXPECT_TRUE(ir) << error.getMessage().str();
  ir->setTargetTriple(module->ir->getTargetTriple());
  ir->setDataLayout(module->ir->getDataLayout());
  module->ir = std::move(ir);
  for (Function &function : *module->ir)
    if (!function.isDeclaration())
      module->setTarget(function);
  return module;
}

GLOW_CALLS_MADE_CODE
void call(void *function, int64_t *numbers, float *floats, int64_t count) {
  reinterpret_cast<Run>(function)(numbers, floats, count);
}

struct Memory {
  alignas(64) std::array<int64_t, room> numbers;
  alignas(64) std::array<float, room> floats;

  Memory() {
    std::mt19937 random(3);
    std::normal_distribution<float> normal;
    for (size_t i = 0; i < room; ++i)
      numbers[i] = int64_t(random() % 1000) + 1, floats[i] = normal(random);
  }
  void run(const Image &image) {
    void *function = image.find("run");
    ASSERT_TRUE(function);
    call(function, numbers.data(), floats.data(), 5);
  }
};

/// Runs both codes. `isWhole`: whether no function is left to LLVM.
void compare(const std::string &processor, const std::string &text,
             bool isWhole) {
  cpu::Target target = targetOf(processor);
  if (!target.checkHost().ok())
    return;
  LLVMContext context;
  auto module = parse(context, target, text);
  auto flat = quick::assemble(*module->ir, target);
  ASSERT_EQ(flat.has_value(), isWhole);
  auto made = std::make_shared<MadeCode>();
  if (flat)
    made->flat = std::move(*flat);
  else
    *made = makeCode(*module).take();
  auto compiled = std::make_shared<MadeCode>();
  compiled->object = makeObject(*parse(context, target, text)).take();
  Memory first, second;
  first.run(**Image::load(made));
  second.run(**Image::load(compiled));
  EXPECT_EQ(first.numbers, second.numbers);
  EXPECT_EQ(first.floats, second.floats);
}

void compareAll(const std::string &text, bool isWhole = true) {
  for (const char *processor : {"x86-64-v3", "x86-64-v4"}) {
    SCOPED_TRACE(processor);
    compare(processor, text, isWhole);
  }
}

/// Repeats the lines with the number `i` in the place of each #.
std::string indexed(const std::string &lines, int i) {
  std::string text;
  for (char c : lines)
    text += c == '#' ? std::to_string(i) : std::string(1, c);
  return text + "\n";
}

TEST(Quick, NumbersInAllWays) {
  compareAll(R"(
define void @run(ptr %n, ptr %f, i64 %count) {
  %a = load i64, ptr %n
  %p = getelementptr i64, ptr %n, i64 1
  %b = load i64, ptr %p
  %q = udiv i64 %a, %b
  %r = urem i64 %b, 8
  %s = sdiv i64 %a, 7
  %t = sub i64 100, %s
  %u = mul i64 %t, 12345678901
  %v = shl i64 %u, 3
  %w = lshr i64 %v, 2
  %x = ashr i64 %w, 1
  %y = and i64 %x, 1048575
  %z = xor i64 %y, %q
  %o = or i64 %z, %r
  %less = icmp slt i64 %o, %t
  %more = icmp ugt i64 %o, 77
  %both = and i1 %less, %more
  %c = select i1 %both, i64 %o, i64 %t
  %m = call i64 @llvm.smax.i64(i64 %c, i64 -5)
  %k = call i64 @llvm.umin.i64(i64 %m, i64 %a)
  %e = zext i1 %less to i64
  %g = add i64 %k, %e
  store i64 %g, ptr %n
  ret void
}
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.umin.i64(i64, i64)
)");
}

TEST(Quick, DivisionByNumbers) {
  std::string text = "define void @run(ptr %n, ptr %f, i64 %count) {\n";
  int i = 0;
  for (const char *divisor : {"1", "2", "3", "7", "10", "14", "36", "480",
                              "960", "1023", "2147483647", "4294967296"})
    text += indexed(std::string("  %p# = getelementptr i64, ptr %n, i64 #\n"
                                "  %a# = load i64, ptr %p#\n"
                                "  %b# = mul i64 %a#, 88172645463325252\n"
                                "  %q# = udiv i64 %b#, ") +
                        divisor + "\n  %r# = urem i64 %b#, " + divisor +
                        "\n  %t# = getelementptr i64, ptr %p#, i64 100\n"
                        "  store i64 %q#, ptr %p#\n  store i64 %r#, ptr %t#",
                    i++);
  compareAll(text + "  ret void\n}\n");
}

// Two phis of each kind that exchange values, and a phi that rotates with them.
TEST(Quick, CirclesOfPhis) {
  compareAll(R"(
define void @run(ptr %n, ptr %f, i64 %count) {
entry:
  %p = load i64, ptr %n
  %x = load <16 x float>, ptr %f
  %next = getelementptr float, ptr %f, i64 16
  %y = load <16 x float>, ptr %next
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %a = phi i64 [ %p, %entry ], [ %b, %loop ]
  %b = phi i64 [ %count, %entry ], [ %c, %loop ]
  %c = phi i64 [ 3, %entry ], [ %a, %loop ]
  %v = phi <16 x float> [ %x, %entry ], [ %w, %loop ]
  %w = phi <16 x float> [ %y, %entry ], [ %v, %loop ]
  %j = add i64 %i, 1
  %more = icmp slt i64 %j, %count
  br i1 %more, label %loop, label %after
after:
  store i64 %a, ptr %n
  store <16 x float> %v, ptr %f
  ret void
}
)");
}

// More values than there are registers, in a loop and behind it.
TEST(Quick, ValuesInMemory) {
  std::string text = "define void @run(ptr %n, ptr %f, i64 %count) {\nentry:\n";
  constexpr int many = 40;
  for (int i = 0; i < many; ++i)
    text += indexed("  %p# = getelementptr i64, ptr %n, i64 #\n"
                    "  %n# = load i64, ptr %p#\n"
                    "  %q# = getelementptr <16 x float>, ptr %f, i64 #\n"
                    "  %f# = load <16 x float>, ptr %q#",
                    i);
  text += "  br label %loop\nloop:\n"
          "  %i = phi i64 [ 0, %entry ], [ %j, %loop ]\n";
  for (int i = 0; i < many; ++i)
    text += indexed("  %a# = phi i64 [ %n#, %entry ], [ %b#, %loop ]\n"
                    "  %v# = phi <16 x float> [ %f#, %entry ], [ %w#, %loop ]",
                    i);
  for (int i = 0; i < many; ++i) {
    std::string other = std::to_string((i + 1) % many);
    text += indexed("  %b# = add i64 %a#, %a" + other +
                        "\n  %w# = call <16 x float> @llvm.fmuladd.v16f32("
                        "<16 x float> %v#, <16 x float> splat (float 0.5), "
                        "<16 x float> %v" +
                        other + ")",
                    i);
  }
  text += "  %j = add i64 %i, 1\n  %more = icmp slt i64 %j, %count\n"
          "  br i1 %more, label %loop, label %after\nafter:\n";
  for (int i = 0; i < many; ++i)
    text += indexed("  store i64 %b#, ptr %p#\n"
                    "  store <16 x float> %w#, ptr %q#",
                    i);
  compareAll(text + R"(
  ret void
}
declare <16 x float> @llvm.fmuladd.v16f32(<16 x float>, <16 x float>, <16 x float>)
)");
}

/// Products of pairs of 16 bits, number `i` of a tile, added to sum `i`.
std::string sumWithPairs(int i) {
  return indexed(R"(  %at# = getelementptr i32, ptr %n, i64 #
  %pixel# = load i32, ptr %at#, align 1
  %first# = insertelement <16 x i32> poison, i32 %pixel#, i64 0
  %all# = shufflevector <16 x i32> %first#, <16 x i32> poison, <16 x i32> zeroinitializer
  %left# = bitcast <16 x i32> %all# to <32 x i16>
  %wide# = sext <32 x i16> %left# to <32 x i32>
  %m# = mul nsw <32 x i32> %wide#, %weights
  %even# = shufflevector <32 x i32> %m#, <32 x i32> poison, <16 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14, i32 16, i32 18, i32 20, i32 22, i32 24, i32 26, i32 28, i32 30>
  %odd# = shufflevector <32 x i32> %m#, <32 x i32> poison, <16 x i32> <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15, i32 17, i32 19, i32 21, i32 23, i32 25, i32 27, i32 29, i32 31>
  %pairs# = add nsw <16 x i32> %even#, %odd#)",
                 i);
}

// Sums of products of pairs that are added to sums: as many as registers hold,
// more, and those that are added to each other. Bytes are stored while all
// registers have values.
TEST(Quick, SumsWithPairs) {
  for (int count : {2, 6, 9}) {
    std::string text = R"(
define void @run(ptr %n, ptr %f, i64 %count) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
)";
    for (int i = 0; i < count; ++i)
      text += indexed("  %sum# = phi <16 x i32> [ splat (i32 #), %entry ], "
                      "[ %new#, %loop ]",
                      i);
    text += R"(  %p = getelementptr <16 x i32>, ptr %f, i64 %i
  %w = load <16 x i32>, ptr %p, align 4
  %words = bitcast <16 x i32> %w to <32 x i16>
  %weights = sext <32 x i16> %words to <32 x i32>
)";
    for (int i = 0; i < count; ++i)
      text += sumWithPairs(i);
    text += R"(  %new0 = add <16 x i32> %pairs0, %pairs1
  %new1 = add <16 x i32> %sum1, %sum0
)";
    for (int i = 2; i < count; ++i)
      text += indexed(i % 2 ? "  %new# = add <16 x i32> %pairs#, %sum#"
                            : "  %new# = add <16 x i32> %sum#, %pairs#",
                      i);
    text += R"(  %bytes = trunc <16 x i32> %sum1 to <16 x i8>
  %b = getelementptr i8, ptr %n, i64 7000
  store <16 x i8> %bytes, ptr %b, align 1
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %count
  br i1 %more, label %loop, label %end
end:
)";
    for (int i = 0; i < count; ++i)
      text +=
          indexed("  %to# = getelementptr <16 x i32>, ptr %f, i64 #\n"
                  // Without the exponents of NaN, which equals nothing.
                  "  %kept# = and <16 x i32> %sum#, splat (i32 1073741823)\n"
                  "  store <16 x i32> %kept#, ptr %to#, align 4",
                  i);
    compareAll(text + "  ret void\n}\n");
  }
}

// Choices, masks, rounding, bits, and lanes that change places.
TEST(Quick, Vectors) {
  compareAll(R"(
define void @run(ptr %n, ptr %f, i64 %count) {
  %x = load <16 x float>, ptr %f
  %p = getelementptr <16 x float>, ptr %f, i64 1
  %y = load <16 x float>, ptr %p
  %less = fcmp olt <16 x float> %x, %y
  %known = fcmp uno <16 x float> %x, %y
  %either = or <16 x i1> %less, %known
  %a = select <16 x i1> %either, <16 x float> splat (float 2.0), <16 x float> %x
  %b = select <16 x i1> %less, <16 x float> %x, <16 x float> %y
  %max = fcmp ogt <16 x float> %a, %b
  %c = select <16 x i1> %max, <16 x float> %a, <16 x float> %b
  %d = call <16 x float> @llvm.roundeven.v16f32(<16 x float> %c)
  %e = call <16 x float> @llvm.copysign.v16f32(<16 x float> %y, <16 x float> %x)
  %g = fmul <16 x float> %d, %e
  %h = fsub <16 x float> %g, %y
  %i = fptosi <16 x float> %h to <16 x i32>
  %j = shl <16 x i32> %i, splat (i32 2)
  %k = call <16 x i32> @llvm.smax.v16i32(<16 x i32> %j, <16 x i32> splat (i32 -9))
  %l = sitofp <16 x i32> %k to <16 x float>
  %m = shufflevector <16 x float> %l, <16 x float> poison, <16 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %o = shufflevector <16 x float> %m, <16 x float> poison, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 0, i32 1, i32 2, i32 3, i32 12, i32 13, i32 14, i32 15, i32 8, i32 9, i32 10, i32 11>
  %q = shufflevector <16 x float> %o, <16 x float> poison, <16 x i32> <i32 2, i32 3, i32 0, i32 1, i32 6, i32 7, i32 4, i32 5, i32 10, i32 11, i32 8, i32 9, i32 14, i32 15, i32 12, i32 13>
  %r = shufflevector <16 x float> %q, <16 x float> poison, <16 x i32> <i32 1, i32 0, i32 3, i32 2, i32 5, i32 4, i32 7, i32 6, i32 9, i32 8, i32 11, i32 10, i32 13, i32 12, i32 15, i32 14>
  %pair = shufflevector <16 x float> %r, <16 x float> poison, <16 x i32> <i32 1, i32 1, i32 3, i32 3, i32 5, i32 5, i32 7, i32 7, i32 9, i32 9, i32 11, i32 11, i32 13, i32 13, i32 15, i32 15>
  %four = shufflevector <16 x float> %r, <16 x float> poison, <16 x i32> <i32 2, i32 2, i32 2, i32 2, i32 6, i32 6, i32 6, i32 6, i32 10, i32 10, i32 10, i32 10, i32 14, i32 14, i32 14, i32 14>
  %eight = shufflevector <16 x float> %r, <16 x float> poison, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15, i32 12, i32 13, i32 14, i32 15>
  %all = shufflevector <16 x float> %r, <16 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11, i32 8, i32 9, i32 10, i32 11>
  %pairs = fmul <16 x float> %pair, %four
  %eights = fsub <16 x float> %eight, %all
  %both = fadd <16 x float> %pairs, %eights
  %rest = fadd <16 x float> %both, %r
  %s = fneg <16 x float> %rest
  store <16 x float> %s, ptr %f
  %first = extractelement <16 x float> %h, i64 0
  %t = getelementptr <16 x float>, ptr %f, i64 2
  store float %first, ptr %t
  ret void
}
declare <16 x float> @llvm.roundeven.v16f32(<16 x float>)
declare <16 x float> @llvm.copysign.v16f32(<16 x float>, <16 x float>)
declare <16 x i32> @llvm.smax.v16i32(<16 x i32>, <16 x i32>)
)");
}

/// A shuffle of %x and %y, or of %x and zeros, into the next place of %f.
std::string shuffled(const char *second, std::array<int, 16> places, int i) {
  std::string text =
      indexed("  %p# = getelementptr <16 x float>, ptr %f, i64 #\n"
              "  %s# = shufflevector <16 x float> %x, <16 x float> ",
              i);
  text.pop_back();
  text += second;
  for (int lane = 0; lane < 16; ++lane)
    text += std::string(lane ? ", " : ", <16 x i32> <") + "i32 " +
            std::to_string(places[size_t(lane)]);
  return text + indexed(">\n  store <16 x float> %s#, ptr %p#", i);
}

// The steps of a transposition, which AVX2 leaves to LLVM.
TEST(Quick, ShufflesOfTwo) {
  const std::string text =
      "define void @run(ptr %n, ptr %f, i64 %count) {\n"
      "  %x = load <16 x float>, ptr %f\n"
      "  %q = getelementptr <16 x float>, ptr %f, i64 1\n"
      "  %y = load <16 x float>, ptr %q\n" +
      shuffled("%y", {0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29},
               2) +
      shuffled("%y", {31, 0, 30, 1, 29, 2, 28, 3, 27, 4, 26, 5, 25, 6, 24, 7},
               3) +
      shuffled("zeroinitializer",
               {0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23}, 4) +
      "  ret void\n}\n";
  compare("x86-64-v3", text, /*isWhole=*/false);
  compare("x86-64-v4", text, /*isWhole=*/true);
}

// Loads stay where other memory may alias; so do values that are computed on
// one of two paths.
TEST(Quick, EqualValues) {
  const std::string text = R"(
define void @run(ptr %n, ptr %f, i64 %count) {
entry:
  %a = load i64, ptr %n
  %b = load i64, ptr %n, align 4
  %c = add i64 %a, %count
  %d = add i64 %count, %b
  %p = getelementptr i64, ptr %n, i64 1
  store i64 %d, ptr %p
  %e = load i64, ptr %n
  %more = icmp sgt i64 %c, 7
  br i1 %more, label %left, label %right
left:
  %g = mul i64 %c, %e
  %h = load i64, ptr %n
  %i = add i64 %g, %h
  store i64 %i, ptr %n
  br label %after
right:
  %j = mul i64 %c, %e
  %k = load i64, ptr %n
  %l = sub i64 %j, %k
  store i64 %l, ptr %p
  br label %after
after:
  %m = load i64, ptr %n
  %o = mul i64 %m, 1
  %q = add i64 %o, %c
  store i64 %q, ptr %n
  ret void
}
)";
  compareAll(text);
  LLVMContext context;
  auto module = parse(context, targetOf("x86-64-v3"), text);
  Function &run = *module->ir->getFunction("run");
  ASSERT_EQ(run.getInstructionCount(), 24u);
  quick::clean(run, DominatorTree(run));
  // Without %b, %d, %h, %k and %o.
  EXPECT_EQ(run.getInstructionCount(), 19u);
}

// No register holds such vectors, and none is asked for.
TEST(Quick, UnusedValues) {
  compareAll(R"(
define void @run(ptr %n, ptr %f, i64 %count) {
  %one = insertelement <16 x i64> poison, i64 %count, i64 0
  %all = shufflevector <16 x i64> %one, <16 x i64> poison, <16 x i32> zeroinitializer
  %sum = add <16 x i64> %all, splat (i64 3)
  store i64 %count, ptr %n
  ret void
}
)");
}

TEST(Quick, BlocksOfBytes) {
  std::string text = "define void @run(ptr %n, ptr %f, i64 %count) {\n";
  for (int size : {1, 4, 8, 12, 31, 64, 100, 520, 1024, 1100, 2047})
    text += indexed("  %p# = getelementptr i8, ptr %n, i64 #\n"
                    "  %q# = getelementptr i8, ptr %f, i64 #\n"
                    "  call void @llvm.memcpy.p0.p0.i64("
                    "ptr align 1 %p#, ptr align 1 %q#, i64 #, i1 false)",
                    size);
  for (int size : {64, 100, 2040})
    text += indexed("  %r# = getelementptr i8, ptr %f, i64 #\n"
                    "  call void @llvm.memset.p0.i64("
                    "ptr align 1 %r#, i8 0, i64 #, i1 false)",
                    size);
  compareAll(text + R"(
  ret void
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
)");
}

// Bytes as numbers, as vectors and parts of them, and their products by four.
TEST(Quick, Bytes) {
  const std::string numbers = R"(
  %signed = load i8, ptr %n
  %s = sext i8 %signed to i64
  %at = getelementptr i8, ptr %n, i64 9
  %unsigned = load i8, ptr %at
  %u = zext i8 %unsigned to i64
  %sum = add i64 %s, %u
  %low = trunc i64 %sum to i8
  %to = getelementptr i8, ptr %n, i64 17
  store i8 %low, ptr %to
  %third = getelementptr i8, ptr %n, i64 33
  %copied = load i8, ptr %third
  %next = getelementptr i8, ptr %n, i64 18
  store i8 %copied, ptr %next
  %every = mul i64 %sum, 16843009
  %word = trunc i64 %every to i32
  %one = insertelement <16 x i32> poison, i32 %word, i64 0
  %all = shufflevector <16 x i32> %one, <16 x i32> poison, <16 x i32> zeroinitializer
  %p = getelementptr <16 x i32>, ptr %f, i64 1
  store <16 x i32> %all, ptr %p, align 1
)";
  compareAll("define void @run(ptr %n, ptr %f, i64 %count) {" + numbers +
             "  ret void\n}\n");
  // The next is for processors that multiply bytes.
  if (!targetOf("").has("avx512vnni"))
    return;
  compare("",
          "define void @run(ptr %n, ptr %f, i64 %count) {" + numbers +
              R"(
  %w = load <16 x i32>, ptr %f, align 1
  %wb = bitcast <16 x i32> %w to <64 x i8>
  %nine = getelementptr i8, ptr %n, i64 36
  %quad = load i32, ptr %nine, align 1
  %q0 = insertelement <16 x i32> poison, i32 %quad, i64 0
  %q = shufflevector <16 x i32> %q0, <16 x i32> poison, <16 x i32> zeroinitializer
  %qb = bitcast <16 x i32> %q to <64 x i8>
  %zero = sub <16 x i32> zeroinitializer, %all
  %a = call <16 x i32> @llvm.x86.avx512.vpdpbusd.512(<16 x i32> %zero, <64 x i8> %qb, <64 x i8> %wb)
  %b = call <16 x i32> @llvm.x86.avx512.vpdpbusd.512(<16 x i32> %a, <64 x i8> %qb, <64 x i8> %wb)
  %c = call <16 x i32> @llvm.x86.avx512.vpdpbusd.512(<16 x i32> zeroinitializer, <64 x i8> %wb, <64 x i8> %qb)
  %d = xor <16 x i32> %b, %c
  %r = sitofp <16 x i32> %d to <16 x float>
  %half = fmul <16 x float> %r, splat (float 0x3EF0000000000000)
  %kept = call <16 x float> @llvm.arithmetic.fence.v16f32(<16 x float> %half)
  %few = call <16 x i8> @llvm.masked.load.v16i8.p0(ptr align 1 %n, <16 x i1> <i1 1, i1 1, i1 1, i1 1, i1 1, i1 0, i1 0, i1 0, i1 0, i1 0, i1 0, i1 0, i1 0, i1 0, i1 0, i1 0>, <16 x i8> zeroinitializer)
  %wide = zext <16 x i8> %few to <16 x i32>
  %real = sitofp <16 x i32> %wide to <16 x float>
  %more = fadd <16 x float> %kept, %real
  %most = call <16 x float> @llvm.maxnum.v16f32(<16 x float> %more, <16 x float> splat (float -128.0))
  %least = call <16 x float> @llvm.minnum.v16f32(<16 x float> %most, <16 x float> splat (float 127.0))
  %is = fcmp ord <16 x float> %more, %more
  %i = fptosi <16 x float> %least to <16 x i32>
  %known = select <16 x i1> %is, <16 x i32> %i, <16 x i32> zeroinitializer
  %bytes = trunc <16 x i32> %known to <16 x i8>
  call void @llvm.masked.store.v16i8.p0(<16 x i8> %bytes, ptr align 1 %p, <16 x i1> <i1 1, i1 1, i1 1, i1 1, i1 1, i1 1, i1 1, i1 0, i1 0, i1 0, i1 0, i1 0, i1 0, i1 0, i1 0, i1 0>)
  ret void
}
declare <16 x i32> @llvm.x86.avx512.vpdpbusd.512(<16 x i32>, <64 x i8>, <64 x i8>)
declare <16 x float> @llvm.arithmetic.fence.v16f32(<16 x float>)
declare <16 x i8> @llvm.masked.load.v16i8.p0(ptr, <16 x i1>, <16 x i8>)
declare void @llvm.masked.store.v16i8.p0(<16 x i8>, ptr, <16 x i1>)
declare <16 x float> @llvm.maxnum.v16f32(<16 x float>, <16 x float>)
declare <16 x float> @llvm.minnum.v16f32(<16 x float>, <16 x float>)
)",
          /*isWhole=*/true);
}

/// The instructions of a function on tiles, as LLVM reads their bytes.
std::vector<std::string> tileInstructions(const FlatCode &code) {
  LLVMInitializeX86Disassembler();
  LLVMDisasmContextRef reader = LLVMCreateDisasmCPU(
      "x86_64-linux-gnu", "sapphirerapids", nullptr, 0, nullptr, nullptr);
  std::vector<std::string> lines;
  auto *bytes =
      reinterpret_cast<uint8_t *>(const_cast<char *>(code.bytes.data()));
  char text[128];
  for (size_t at = 0, size; at < code.bytes.size(); at += size) {
    size = LLVMDisasmInstruction(reader, bytes + at, code.bytes.size() - at, at,
                                 text, sizeof text);
    if (!size)
      break;
    std::string line = StringRef(text).trim().str();
    llvm::replace(line, '\t', ' ');
    if (line.find("tmm") != line.npos || line.find("tile") != line.npos)
      lines.push_back(line);
  }
  LLVMDisasmDispose(reader);
  return lines;
}

// The bytes are right on any host; a host without tiles cannot run them.
TEST(Quick, Tiles) {
  cpu::Target target = targetOf("sapphirerapids");
  LLVMContext context;
  auto module = parse(context, target, R"(
@sizes = internal constant [4 x i8] c"\01\02\03\04"
define void @run(ptr %n, ptr %f, i64 %count) {
  call void @llvm.x86.ldtilecfg(ptr @sizes)
  call void @llvm.x86.tileloadd64(i8 0, ptr %n, i64 64)
  %p = getelementptr i8, ptr %f, i64 %count
  call void @llvm.x86.tileloadd64(i8 5, ptr %p, i64 %count)
  call void @llvm.x86.tdpbusd(i8 0, i8 5, i8 6)
  call void @llvm.x86.tdpbssd(i8 3, i8 4, i8 7)
  call void @llvm.x86.tdpbf16ps(i8 1, i8 4, i8 7)
  call void @llvm.x86.tilestored64(i8 2, ptr %f, i64 %count)
  call void @llvm.x86.tilerelease()
  ret void
}
declare void @llvm.x86.ldtilecfg(ptr)
declare void @llvm.x86.tileloadd64(i8, ptr, i64)
declare void @llvm.x86.tilestored64(i8, ptr, i64)
declare void @llvm.x86.tdpbusd(i8, i8, i8)
declare void @llvm.x86.tdpbssd(i8, i8, i8)
declare void @llvm.x86.tdpbf16ps(i8, i8, i8)
declare void @llvm.x86.tilerelease()
)");
  auto flat = quick::assemble(*module->ir, target);
  ASSERT_TRUE(flat);
  std::vector<std::string> lines = tileInstructions(*flat);
  ASSERT_EQ(lines.size(), 8u);
  EXPECT_EQ(lines[0], "ldtilecfg (%rax)");
  EXPECT_EQ(lines[1], "tileloadd (%rsi,%rcx), %tmm0");
  EXPECT_EQ(lines[2], "tileloadd (%rsi,%r8), %tmm5");
  EXPECT_EQ(lines[3], "tdpbusd %tmm6, %tmm5, %tmm0");
  EXPECT_EQ(lines[4], "tdpbssd %tmm7, %tmm4, %tmm3");
  EXPECT_EQ(lines[5], "tdpbf16ps %tmm7, %tmm4, %tmm1");
  EXPECT_EQ(lines[6], "tilestored %tmm2, (%rdi,%r8)");
  EXPECT_EQ(lines[7], "tilerelease");
}

// A function left to LLVM calls one that is not, with more arguments than
// registers; the stack memory of the function outlives the call.
TEST(Quick, SomeIsLeft) {
  const std::string inner = R"(
define internal void @inner(ptr %n, i64 %a, i64 %b, i64 %c, i64 %d, i64 %e, i64 %g, i64 %h) {
  %x = sub i64 %a, %b
  %y = mul i64 %c, %h
  %z = add i64 %x, %y
  %v = sub i64 %z, %g
  store i64 %v, ptr %n
  ret void
}
define internal void @middle(ptr %n, i64 %a) {
  %own = alloca [4 x i64]
  %p = getelementptr i64, ptr %own, i64 1
  store i64 %a, ptr %p
  call void @inner(ptr %own, i64 %a, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7)
  %x = load i64, ptr %own
  %y = load i64, ptr %p
  %z = add i64 %x, %y
  %w = mul i64 %z, %a
  store i64 %w, ptr %n
  ret void
}
)";
  compareAll(inner + R"(
define void @run(ptr %n, ptr %f, i64 %count) {
  call void @middle(ptr %n, i64 %count)
  ret void
}
)");
  compareAll(inner + R"(
define void @run(ptr %n, ptr %f, i64 %count) {
  %x = load double, ptr %n
  %y = fadd double %x, 1.0
  store double %y, ptr %n
  %p = getelementptr i64, ptr %n, i64 1
  call void @middle(ptr %p, i64 %count)
  ret void
}
)",
             /*isWhole=*/false);
}

} // namespace
