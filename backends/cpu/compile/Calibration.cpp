//===- Calibration.cpp - the numbers of this host -------------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Backend/Calibration.h"
#include "common/ProcessorUnits.h"
#include "common/Target.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

using namespace glow;
using namespace glow::cpu;

/// A module of nodes from `x` to `y`; `constants` and `body` make `%y` of `%x`.
static std::string moduleOf(llvm::StringRef x, llvm::StringRef y,
                            llvm::StringRef constants, llvm::StringRef body) {
  return ("glow.placeholder @x input : " + x +
          "\nglow.placeholder @y output : " + y + "\n" + constants +
          "\nglow.func @main {\n%x = glow.read @x : " + x + "\n" + body +
          "\nglow.save %y, @y : " + y + "\n}\n")
      .str();
}

/// `node` of that many elements of f32.
static std::string elementwise(llvm::StringRef node, int64_t count) {
  std::string type = "tensor<" + std::to_string(count) + "xf32>";
  return moduleOf(
      type, type, "",
      ("%y = glow." + node + " %x : (" + type + ") -> " + type).str());
}

static std::string product() {
  return moduleOf("tensor<112x512xf32>", "tensor<112x192xf32>",
                  "glow.constant @b = dense<0.5> : tensor<512x192xf32>",
                  "%b = glow.read @b : tensor<512x192xf32>\n"
                  "%y = glow.matmul %x, %b : (tensor<112x512xf32>, "
                  "tensor<512x192xf32>) -> tensor<112x192xf32>");
}

static std::string productOfBytes() {
  return moduleOf("tensor<112x1024xui8>", "tensor<112x128xi32>",
                  "glow.constant @b = dense<2> : tensor<1024x128xi8>\n"
                  "glow.constant @p = dense<3> : tensor<1xui8>\n"
                  "glow.constant @q = dense<0> : tensor<1xi8>",
                  "%b = glow.read @b : tensor<1024x128xi8>\n"
                  "%p = glow.read @p : tensor<1xui8>\n"
                  "%q = glow.read @q : tensor<1xi8>\n"
                  "%y = glow.matmul_integer %x, %b, %p, %q : "
                  "(tensor<112x1024xui8>, tensor<1024x128xi8>, tensor<1xui8>, "
                  "tensor<1xi8>) -> tensor<112x128xi32>");
}

/// A product of rows of 16 bits with weights of 4 bits.
static std::string productOfWords() {
  return moduleOf("tensor<32x512xf32>", "tensor<32x128xf32>",
                  "glow.constant @b = dense<119> : tensor<128x16x16xui8>\n"
                  "glow.constant @s = dense<0.5> : tensor<128x16xf32>",
                  "%b = glow.read @b : tensor<128x16x16xui8>\n"
                  "%s = glow.read @s : tensor<128x16xf32>\n"
                  "%y = glow.matmul_nbits %x, %b, %s bits 4 blockSize 32 : "
                  "(tensor<32x512xf32>, tensor<128x16x16xui8>, "
                  "tensor<128x16xf32>) -> tensor<32x128xf32>");
}

/// Rows become columns: each element lies apart from its neighbours.
static std::string transposition() {
  return moduleOf("tensor<96x96xf32>", "tensor<96x96xf32>", "",
                  "%y = glow.transpose %x permutation [1, 0] : "
                  "(tensor<96x96xf32>) -> tensor<96x96xf32>");
}

static std::string winograd() {
  return moduleOf(
      "tensor<1x32x56x56xf32>", "tensor<1x32x56x56xf32>",
      "glow.constant @b = dense<0.5> : tensor<32x32x3x3xf32>",
      "%b = glow.read @b : tensor<32x32x3x3xf32>\n"
      "%y = glow.conv %x, %b strides [1, 1] pads [1, 1, 1, 1] dilations [1, 1] "
      "group 1 : (tensor<1x32x56x56xf32>, tensor<32x32x3x3xf32>) -> "
      "tensor<1x32x56x56xf32>");
}

namespace {

class CpuCalibration final : public Calibration {
public:
  Result<std::vector<Probe>> probes() const override {
    Result<Target> host = Target::create({});
    if (!host)
      return host.status();
    // For each cache level, tensors that take two thirds of it.
    std::vector<Probe> all = {
        {"step", elementwise("relu", 16)},
        {"second-level", elementwise("relu", 64 << 10)},
        {"third-level", elementwise("relu", 1 << 20)},
        {"memory", elementwise("relu", 8 << 20)},
        {"operation", elementwise("exp", 4 << 10)},
        {"gather", transposition()},
        {"real-products", product(), Math::Strict},
        {"transform", winograd()},
        {host->has("amx-int8") ? "tile-products" : "byte-products",
         productOfBytes()},
        {"word-products", productOfWords()}};
    if (host->has("avx512bf16"))
      all.push_back({"half-products", product(), Math::Fast});
    return all;
  }

  Result<std::string> withCost(const CodeOptions &options,
                               const std::string &number,
                               double factor) const override {
    Result<Target> target = Target::create(options);
    if (!target)
      return target.status();
    if (!target->isHost)
      return Status(Code::InvalidArgument,
                    "only the processor of this host can be measured");
    return textOf(cpu::withCost(target->processor, number, factor));
  }

  std::string unitOf(const std::string &number) const override {
    return cpu::unitOf(number);
  }

  /// Products of one instruction: the lanes of a vector, times the products
  /// that a lane adds (`Factors`).
  double products(const CodeOptions &options,
                  ElementKind factors) const override {
    Result<Target> target = Target::create(options);
    if (!target)
      return 0;
    constexpr double lanes = 16;
    const Processor &processor = target->processor;
    if (factors == ElementKind::U8 || factors == ElementKind::I8)
      return target->has("amx-int8") ? processor.tileProducts * lanes * 32
                                     : processor.byteProducts * lanes * 4;
    const Math math = options.math.value_or(Math::Default);
    const double ofTiles = target->has("amx-bf16") && math != Math::Strict
                               ? processor.tileProducts * lanes * 16
                               : 0;
    if (factors == ElementKind::BF16)
      return std::max(processor.halfProducts * lanes * 2, ofTiles);
    // A product of f32 is three products of halves, unless it may be rounded.
    const double split = math == Math::Fast ? 1 : 3;
    return isFloat(factors)
               ? std::max(processor.realProducts * lanes, ofTiles / split)
               : 0;
  }

  std::string source(const CodeOptions &options) const override {
    Result<Target> target = Target::create(options);
    if (!target)
      return "";
    return target->processor.name +
           std::string(target->isMeasured ? ", measured on this host" : "");
  }
};

} // namespace

static const CpuCalibration calibration;
[[maybe_unused]] static const bool registered = [] {
  registerCalibration("cpu", calibration);
  return true;
}();
