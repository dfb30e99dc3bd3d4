//===- AssembleTile.cpp - tiles without a compiler ------------------------===//
//
// What Tile.cpp has LLVM make, made directly: sums and weights have registers
// that the tile's sizes decide, and so have pointers and counters.
//
//===----------------------------------------------------------------------===//

#include "AssembleTile.h"
#include "Assembler.h"
#include "TileFunction.h"
#include "llvm/ADT/STLExtras.h"
#include <bit>
#include <optional>

using namespace glow::cpu;
using llvm::is_contained;

namespace {

constexpr int64_t floatBytes = 4;

/// Pointers and counters.
constexpr auto In = Assembler::Rdi, Weights = Assembler::Rsi,
               Out = Assembler::Rcx, OutBlock = Assembler::R8,
               Outer = Assembler::R9, RowIn = Assembler::R10,
               NextWeights = Assembler::R11, InOuter = Assembler::R12,
               WeightsOuter = Assembler::R13, InRow = Assembler::R14,
               Count = Assembler::R15, Rows = Assembler::Rbx,
               TapIn = Assembler::Rax, Channels = Assembler::Rbp,
               Ahead = Assembler::Rdx, Scratch = Assembler::Rax;
constexpr Assembler::Register saved[] = {Assembler::Rbx, Assembler::Rbp,
                                         Assembler::R12, Assembler::R13,
                                         Assembler::R14, Assembler::R15};
/// What the loops leave to the formula: pointers of its operands.
constexpr Assembler::Register extraPointers[] = {
    Assembler::R10, Assembler::R11, Assembler::R12, Assembler::R13};

class TileAssembler {
public:
  TileAssembler(const Tile &tile, bool wide)
      : tile(tile), code(wide), parts(wide ? 1 : 2), registers(wide ? 32 : 16),
        wide(wide),
        step((tile.weightStep ? tile.weightStep : tile.blocks * lanes) *
             floatBytes) {}

  /// Whether there are registers for all of it.
  bool fits() const { return firstFree() <= registers && tile.blocks <= 32; }

  std::string run() {
    for (Assembler::Register reg : saved)
      code.push(reg);
    bool isPartial = tile.lastLanes != lanes;
    if (isPartial)
      code.setMask(unsigned(tile.lastLanes), Scratch);
    fetchExtras();
    startSums();
    if (tile.rows)
      loadScaled(InRow, TileArgument::InRow);
    if (tile.outer || tile.tail) {
      loadScaled(InOuter, TileArgument::InOuter);
      loadScaled(WeightsOuter, TileArgument::WeightsOuter);
    }
    if (tile.outer) {
      if (!tile.count)
        return "";
      size_t turn = code.here();
      block(tile.count);
      code.add(In, InOuter);
      code.add(Weights, WeightsOuter);
      code.decrement(Outer);
      code.jumpBackIfNotZero(turn);
    }
    if (tile.tail) {
      load(Count, TileArgument::Tail);
      block(0);
    }
    if (!finish())
      return "";
    for (Assembler::Register reg : llvm::reverse(saved))
      code.pop(reg);
    code.finish();
    return code.code();
  }

private:
  //===--------------------------------------------------------------------===//
  // Registers and arguments
  //===--------------------------------------------------------------------===//

  using Vector = Assembler::Vector;
  Vector sum(int64_t x, int64_t b, int64_t part) const {
    return Vector((x * tile.blocks + b) * parts + part);
  }
  Vector weight(int64_t b, int64_t part) const {
    return Vector((tile.width * tile.blocks + b) * parts + part);
  }
  Vector element() const {
    return Vector((tile.width + 1) * tile.blocks * parts);
  }
  bool repeatsInPlace() const { return wide && tile.blocks == 1; }
  int64_t firstFree() const { return element() + !repeatsInPlace(); }

  /// An argument that C passes on the stack.
  Assembler::Memory stacked(unsigned argument) const {
    constexpr int64_t inRegisters = 6;
    return {Assembler::Rsp,
            8 * (int64_t(std::size(saved)) + 1 + argument - inRegisters)};
  }
  void load(Assembler::Register target, unsigned argument) {
    code.load(target, stacked(argument));
  }
  /// A number of elements, as bytes.
  void loadScaled(Assembler::Register target, unsigned argument) {
    load(target, argument);
    code.shiftLeft(target, 2);
  }
  bool isPartial(int64_t b) const {
    return tile.lastLanes != lanes && b + 1 == tile.blocks;
  }
  int64_t vectorBytes() const { return lanes * floatBytes / parts; }

  //===--------------------------------------------------------------------===//
  // Before the sums
  //===--------------------------------------------------------------------===//

  void fetchExtras() {
    for (auto [i, reach] : llvm::enumerate(tile.epilogue.extras)) {
      if (!tile.stream || reach != Reach::Same)
        continue;
      load(RowIn, TileArgument::FirstExtra + unsigned(i));
      code.address(NextWeights, {OutBlock});
      code.shiftLeft(NextWeights, 2);
      for (int64_t b = 0; b < tile.blocks; ++b) {
        for (int64_t x = 0; x < tile.width; ++x)
          code.prefetch({RowIn, x * tile.outPixel * floatBytes}, 1);
        code.add(RowIn, NextWeights);
      }
    }
  }

  void startSums() {
    for (int64_t x = 0; x < tile.width; ++x)
      for (int64_t b = 0; b < tile.blocks; ++b)
        for (int64_t part = 0; part < parts; ++part)
          if (tile.epilogue.bias)
            code.load(sum(x, b, part),
                      {Assembler::Rdx, (b * parts + part) * vectorBytes()},
                      isPartial(b));
          else
            code.zero(sum(x, b, part));
  }

  //===--------------------------------------------------------------------===//
  // Sums
  //===--------------------------------------------------------------------===//

  /// `count` is 0 where Count has it.
  void block(int64_t count) {
    code.move(RowIn, In);
    code.move(NextWeights, Weights);
    if (!tile.rows)
      return row(count);
    load(Rows, TileArgument::EndRow);
    load(Scratch, TileArgument::FirstRow);
    code.subtract(Rows, Scratch);
    size_t none = code.jumpIfNotPositive();
    code.move(Channels, Scratch);
    code.multiply(Channels, InRow);
    code.add(RowIn, Channels);
    code.multiply(Scratch, Scratch,
                  tile.taps * step * std::max<int64_t>(count, 1));
    if (!count)
      code.multiply(Scratch, Count);
    code.add(NextWeights, Scratch);
    size_t turn = code.here();
    row(count);
    code.add(RowIn, InRow);
    code.decrement(Rows);
    code.jumpBackIfNotZero(turn);
    code.land(none);
  }

  void row(int64_t count) {
    if (tile.inside.empty() && count == 1 && tile.taps > 1) {
      code.move(TapIn, RowIn);
      code.move(Channels, tile.taps);
      return turns([&] { product(0, tile.width); }, tile.inTap * floatBytes);
    }
    for (int64_t s = 0; s < tile.taps; ++s)
      tap(count, s);
  }

  void tap(int64_t count, int64_t s) {
    int64_t from = tile.inside.empty() ? 0 : tile.inside[size_t(s)].first;
    int64_t to =
        tile.inside.empty() ? tile.width : tile.inside[size_t(s)].second;
    if (from >= to)
      return skip(count);
    code.address(TapIn, {RowIn, s * tile.inTap * floatBytes});
    bool fetches = tile.ahead && count && s < tapsApart(tile);
    if (fetches) {
      loadScaled(Ahead, TileArgument::Ahead);
      code.add(Ahead, TapIn);
    }
    if (count == 1) {
      product(from, to);
      return code.add(NextWeights, step);
    }
    if (count)
      code.move(Channels, count);
    else
      code.move(Channels, Count);
    turns(
        [&] {
          if (fetches)
            fetchPixels();
          product(from, to);
        },
        floatBytes);
  }

  /// Goes over the weights of a tap that reads no pixel.
  void skip(int64_t count) {
    if (count)
      return code.add(NextWeights, count * step);
    code.multiply(Scratch, Count, step);
    code.add(NextWeights, Scratch);
  }

  /// As many as Channels says, each with the next weights.
  template <typename Body> void turns(Body body, int64_t inStep) {
    code.alignLoop();
    size_t turn = code.here();
    body();
    code.add(TapIn, inStep);
    code.add(NextWeights, step);
    code.decrement(Channels);
    code.jumpBackIfNotZero(turn);
  }

  void fetchPixels() {
    int64_t pixel = std::max(tile.inPixel, lanes) * floatBytes;
    for (int64_t x = 0; x < tile.width; x += tile.count)
      code.prefetch({Ahead, x * pixel}, 2);
    code.add(Ahead, pixel);
  }

  void product(int64_t from, int64_t to) {
    if (tile.stream && tile.width >= leastFetching)
      for (int64_t b = 0; b < tile.blocks; ++b)
        code.prefetch({NextWeights, (fetchAhead + b * lanes) * floatBytes}, 2);
    for (int64_t b = 0; b < tile.blocks; ++b)
      for (int64_t part = 0; part < parts; ++part)
        code.load(weight(b, part),
                  {NextWeights, (b * parts + part) * vectorBytes()},
                  tile.weightStep && isPartial(b));
    for (int64_t x = from; x < to; ++x) {
      Assembler::Memory place{TapIn, x * tile.inPixel * floatBytes};
      if (repeatsInPlace()) {
        code.multiplyAddBroadcast(sum(x, 0, 0), weight(0, 0), place);
        continue;
      }
      code.broadcast(element(), place);
      for (int64_t b = 0; b < tile.blocks; ++b)
        for (int64_t part = 0; part < parts; ++part)
          code.multiplyAdd(sum(x, b, part), element(), weight(b, part));
    }
  }

  //===--------------------------------------------------------------------===//
  // The formula
  //===--------------------------------------------------------------------===//

  using Argument = Formula::Argument;

  /// Takes a register that neither sums nor numbers have.
  std::optional<Vector> take() {
    if (freeVectors.empty())
      return std::nullopt;
    return freeVectors.pop_back_val();
  }

  /// Numbers of the formula get registers, and operands their pointers.
  bool prepare() {
    int64_t first = tile.width * tile.blocks * parts;
    for (int64_t i = registers; i-- > first;)
      freeVectors.push_back(Vector(i));
    if (tile.epilogue.extras.size() > std::size(extraPointers))
      return false;
    for (auto [i, reach] : llvm::enumerate(tile.epilogue.extras)) {
      load(extraPointers[i], TileArgument::FirstExtra + unsigned(i));
      if (reach != Reach::Single)
        continue;
      auto vector = take();
      if (!vector)
        return false;
      code.broadcast(*vector, {extraPointers[i]});
      singles[i] = *vector;
    }
    for (const Formula::Call &call : tile.epilogue.formula.calls) {
      if (call.mnemonic == "relu" && !keepNumber(0))
        return false;
      for (const Argument &argument : call.arguments)
        if (auto *number = std::get_if<double>(&argument))
          if (!keepNumber(float(*number)))
            return false;
    }
    return true;
  }

  bool keepNumber(float number) {
    if (findNumber(number))
      return true;
    auto vector = take();
    if (!vector)
      return false;
    code.broadcast(*vector, number, Scratch);
    numbers.push_back({number, *vector});
    return true;
  }
  const Vector *findNumber(float number) const {
    for (const auto &[known, vector] : numbers)
      if (std::bit_cast<uint32_t>(known) == std::bit_cast<uint32_t>(number))
        return &vector;
    return nullptr;
  }

  bool finish() {
    if (!prepare())
      return false;
    code.shiftLeft(OutBlock, 2);
    for (int64_t b = 0; b < tile.blocks; ++b) {
      for (int64_t x = 0; x < tile.width; ++x)
        for (int64_t part = 0; part < parts; ++part)
          if (!finish(x, b, part))
            return false;
      code.add(Out, OutBlock);
      for (auto [i, reach] : llvm::enumerate(tile.epilogue.extras))
        if (reach == Reach::Same)
          code.add(extraPointers[i], OutBlock);
    }
    return true;
  }

  bool finish(int64_t x, int64_t b, int64_t part) {
    int64_t place = x * tile.outPixel * floatBytes + part * vectorBytes();
    Evaluation e{
        b, place, (b * parts + part) * vectorBytes(), {sum(x, b, part)}, {}};
    size_t before = freeVectors.size();
    for (size_t i = 0; i < tile.epilogue.extras.size(); ++i) {
      auto vector = loadExtra(i, e);
      if (!vector)
        return false;
      e.inputs.push_back(*vector);
    }
    for (size_t call = 0; call < tile.epilogue.formula.calls.size(); ++call)
      if (!evaluate(call, e))
        return false;
    Vector result = e.results.empty() ? e.inputs[0] : e.results.back();
    code.store({Out, place}, result, isPartial(b));
    while (freeVectors.size() < before)
      freeVectors.push_back(taken.pop_back_val());
    return true;
  }

  struct Evaluation {
    int64_t block, place, column; ///< places in bytes
    llvm::SmallVector<Vector> inputs, results;
  };

  std::optional<Vector> takeForNow() {
    auto vector = take();
    if (vector)
      taken.push_back(*vector);
    return vector;
  }

  std::optional<Vector> loadExtra(size_t i, const Evaluation &e) {
    Reach reach = tile.epilogue.extras[i];
    if (reach == Reach::Single)
      return singles[i];
    auto vector = takeForNow();
    if (vector)
      code.load(*vector,
                {extraPointers[i], reach == Reach::Same ? e.place : e.column},
                isPartial(e.block));
    return vector;
  }

  std::optional<Vector> valueOf(const Argument &argument,
                                const Evaluation &e) const {
    if (auto *input = std::get_if<Formula::Input>(&argument))
      return e.inputs[input->index];
    if (auto *value = std::get_if<Formula::Value>(&argument))
      return e.results[value->index];
    if (auto *number = std::get_if<double>(&argument))
      return *findNumber(float(*number));
    return std::nullopt;
  }

  /// Whether no later call reads the argument of a call, nor another vector of
  /// the tile.
  bool isLastUse(const Argument &argument, size_t call) const {
    auto *input = std::get_if<Formula::Input>(&argument);
    bool isOwn =
        input ? !input->index ||
                    tile.epilogue.extras[input->index - 1] != Reach::Single
              : std::holds_alternative<Formula::Value>(argument);
    auto later = llvm::drop_begin(tile.epilogue.formula.calls, call + 1);
    return isOwn && llvm::none_of(later, [&](const Formula::Call &next) {
             return is_contained(next.arguments, argument);
           });
  }

  /// A register for the result of a call: that of an argument, or another.
  std::optional<Vector> resultOf(size_t call, const Evaluation &e) {
    for (const Argument &argument : tile.epilogue.formula.calls[call].arguments)
      if (isLastUse(argument, call))
        return valueOf(argument, e);
    return takeForNow();
  }

  bool evaluate(size_t index, Evaluation &e) {
    const Formula::Call &call = tile.epilogue.formula.calls[index];
    llvm::SmallVector<Vector> x;
    for (const Argument &argument : call.arguments) {
      auto value = valueOf(argument, e);
      if (!value)
        return false;
      x.push_back(*value);
    }
    auto result = resultOf(index, e);
    if (!result)
      return false;
    e.results.push_back(*result);
    // Of a value that is no number, both limits keep what they are given last.
    if (call.mnemonic == "add")
      code.apply(Assembler::Add, *result, x[0], x[1]);
    else if (call.mnemonic == "sub")
      code.apply(Assembler::Subtract, *result, x[0], x[1]);
    else if (call.mnemonic == "mul")
      code.apply(Assembler::Multiply, *result, x[0], x[1]);
    else if (call.mnemonic == "relu")
      code.apply(Assembler::Larger, *result, *findNumber(0), x[0]);
    else if (call.mnemonic == "clip") {
      code.apply(Assembler::Larger, *result, x[1], x[0]);
      code.apply(Assembler::Smaller, *result, x[2], *result);
    } else
      return false;
    return true;
  }

  const Tile &tile;
  Assembler code;
  const int64_t parts;     // registers of a vector
  const int64_t registers; // that there are
  const bool wide;
  const int64_t step; // from a channel's weights to the next, in bytes
  llvm::SmallVector<Vector> freeVectors, taken;
  llvm::SmallVector<std::pair<float, Vector>> numbers;
  Vector singles[std::size(extraPointers)] = {};
};

/// LLVM fuses a product with the sum that it goes into.
bool fusesProducts(const Formula &formula) {
  auto isProduct = [&](const Formula::Argument &argument) {
    auto *value = std::get_if<Formula::Value>(&argument);
    return value && formula.calls[value->index].mnemonic == "mul";
  };
  return llvm::any_of(formula.calls, [&](const Formula::Call &call) {
    return (call.mnemonic == "add" || call.mnemonic == "sub") &&
           llvm::any_of(call.arguments, isProduct);
  });
}

} // namespace

std::string glow::cpu::assembleTile(const Target &target, const Tile &tile) {
  bool wide = target.has("avx512f");
  bool isKnown =
      target.machine->getTargetTriple().getArch() == llvm::Triple::x86_64 &&
      target.has("avx2") && target.has("fma");
  if (!isKnown || tile.form != Form::F32 || tile.next || tile.difference ||
      tile.starts || (tile.lastLanes != lanes && !wide) ||
      fusesProducts(tile.epilogue.formula))
    return "";
  TileAssembler assembler(tile, wide);
  return assembler.fits() ? assembler.run() : "";
}
