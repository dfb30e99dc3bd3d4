//===- Sampler.cpp - the next token of a text -----------------------------===//
// SPDX-License-Identifier: MIT
//
// The kept tokens are the first ones in the order of their probabilities. The
// drawn token is the first whose sum of probabilities is above a random part of
// the whole sum.
//
//===----------------------------------------------------------------------===//

#include "Sampler.h"
#include "glow/Base/MemoryFile.h"
#include <algorithm>

using namespace glow;
using namespace glow::tool;

namespace {

/// A value of a module in text.
struct Value {
  std::string name, type;
};

/// Nodes in text, one after the other.
class NodeText {
public:
  Value input(const std::string &name, const std::string &type) {
    storage += "glow.placeholder @" + name + " input : " + type + "\n";
    return add("read @" + name + " : " + type, type);
  }
  void output(const std::string &name, const Value &value) {
    storage += "glow.placeholder @" + name + " output : " + value.type + "\n";
    nodes +=
        "  glow.save " + value.name + ", @" + name + " : " + value.type + "\n";
  }

  /// A node on operands, with its attributes as text.
  Value node(const std::string &word, std::initializer_list<Value> operands,
             const std::string &attributes, const std::string &type) {
    std::string names, types;
    for (const Value &operand : operands) {
      names += (names.empty() ? " " : ", ") + operand.name;
      types += (types.empty() ? "" : ", ") + operand.type;
    }
    return add(word + names + (attributes.empty() ? "" : " " + attributes) +
                   " : (" + types + ") -> " + type,
               type);
  }
  Value splat(double value, const std::string &dims, const std::string &kind,
              const std::string &type) {
    char number[40];
    std::snprintf(number, sizeof number, "%.17e", value);
    return node("splat", {},
                "value " + std::string(number) + " dims [" + dims + "] kind " +
                    kind,
                type);
  }
  /// The values and the places of the largest elements.
  std::pair<Value, Value> topK(const Value &of, int64_t count,
                               const std::string &values,
                               const std::string &places) {
    const std::string name = "%v" + std::to_string(number++);
    nodes += "  " + name + ":2 = glow.top_k " + of.name + " axis 1 k " +
             std::to_string(count) + " largest true : (" + of.type + ") -> (" +
             values + ", " + places + ")\n";
    return {{name + "#0", values}, {name + "#1", places}};
  }

  std::string text() const {
    return storage + "glow.func @main {\n" + nodes + "}\n";
  }

private:
  Value add(const std::string &line, const std::string &type) {
    Value value{"%v" + std::to_string(number++), type};
    nodes += "  " + value.name + " = glow." + line + "\n";
    return value;
  }

  std::string storage, nodes;
  unsigned number = 0;
};

} // namespace

std::string tool::samplerModule(const SamplerOptions &options, ElementKind kind,
                                int64_t words) {
  const int64_t kept = options.topK ? std::min(options.topK, words) : words;
  auto rows = [](int64_t size, const std::string &kind) {
    return "tensor<1x" + std::to_string(size) + "x" + kind + ">";
  };
  const std::string dims = "1, " + std::to_string(words),
                    keptDims = "1, " + std::to_string(kept),
                    scoreType = rows(words, "f32"),
                    flagType = rows(words, "i1");
  NodeText m;
  Value scores = m.input("logits", rows(words, std::string(name(kind))));
  if (kind != ElementKind::F32)
    scores = m.node("cast", {scores}, "kind f32", scoreType);
  if (options.repetitionPenalty != 1) {
    Value seen = m.input("seen", flagType);
    Value factor = m.splat(options.repetitionPenalty, dims, "f32", scoreType);
    Value isBelow = m.node("less", {scores, m.splat(0, dims, "f32", scoreType)},
                           "", flagType);
    Value punished =
        m.node("select",
               {isBelow, m.node("mul", {scores, factor}, "", scoreType),
                m.node("div", {scores, factor}, "", scoreType)},
               "", scoreType);
    scores = m.node("select", {seen, punished, scores}, "", scoreType);
  }
  if (options.temperature == 0) {
    m.output("token",
             m.node("arg_max", {scores},
                    "axis 1 keepDims false selectLast false", "tensor<1xi64>"));
    return m.text();
  }
  const std::string keptScores = rows(kept, "f32"), wide = rows(kept, "f64"),
                    placeType = rows(kept, "i64"), flags = rows(kept, "i1"),
                    one = "tensor<1x1xf64>", place = "tensor<1x1xi64>";
  Value places;
  const bool areOrdered = kept < words || options.topP < 1;
  if (areOrdered)
    std::tie(scores, places) = m.topK(scores, kept, keptScores, placeType);
  Value scaled = m.node(
      "div",
      {scores, m.splat(options.temperature, keptDims, "f32", keptScores)}, "",
      keptScores);
  Value likely =
      m.node("cast", {m.node("softmax", {scaled}, "axis 1", keptScores)},
             "kind f64", wide);
  if (options.topP < 1) {
    Value before = m.node("cum_sum", {likely},
                          "axis 1 exclusive true backwards false", wide);
    Value isKept =
        m.node("less", {before, m.splat(options.topP, keptDims, "f64", wide)},
               "", flags);
    likely =
        m.node("select", {isKept, likely, m.splat(0, keptDims, "f64", wide)},
               "", wide);
  }
  Value sums = m.node("cum_sum", {likely},
                      "axis 1 exclusive false backwards false", wide);
  Value whole = m.node("slice", {sums},
                       "starts [0, " + std::to_string(kept - 1) +
                           "] steps [1, 1] sizes [1, 1]",
                       one);
  Value random = m.node("reshape", {m.input("random", "tensor<1xf64>")},
                        "dims [1, 1]", one);
  Value bound = m.node("broadcast", {m.node("mul", {whole, random}, "", one)},
                       "dims [" + keptDims + "] axis -1", wide);
  Value below = m.node("cast", {m.node("less_equal", {sums, bound}, "", flags)},
                       "kind i64", placeType);
  Value at = m.node("reduce_sum", {below}, "axes [1] keepDims true", place);
  // Without a number among the scores, the place may be behind the last one.
  at = m.node("min", {at, m.splat(double(kept - 1), "1, 1", "i64", place)}, "",
              place);
  if (areOrdered)
    at = m.node("gather_elements", {places, at}, "axis 1", place);
  m.output("token", m.node("reshape", {at}, "dims [1]", "tensor<1xi64>"));
  return m.text();
}

Result<std::unique_ptr<Sampler>>
Sampler::create(const SamplerOptions &options, SessionFactory &sessions,
                Host &host, const CompileRequest &like, ElementKind kind,
                int64_t words) {
  Result<std::shared_ptr<const MemoryFile>> file =
      MemoryFile::make("the sampler", samplerModule(options, kind, words));
  if (!file)
    return file.status();
  Result<std::unique_ptr<Session>> session = sessions.open((*file)->path());
  if (!session)
    return session.status();
  CompileRequest request;
  request.path = "the sampler";
  request.backend = like.backend;
  request.code.memoryLimit = like.code.memoryLimit;
  request.code.settings = like.code.settings;
  Result<Program> program = (*session)->compile(request);
  if (!program)
    return program.status();
  Result<ModelId> model = host.load(*program);
  Result<Tensor> seen = Tensor::zeros({ElementKind::Bool, {1, words}});
  if (!model || !seen)
    return model ? seen.status() : model.status();
  return std::unique_ptr<Sampler>(
      new Sampler(options, host, program.take(), *model, seen.take()));
}

Status Sampler::see(TokenId token) {
  const int64_t words = seen.type().shape[1];
  if (int64_t(token) >= words)
    return failure(Code::InvalidArgument, "token ", token,
                   " is none of the model's, which are from 0 to ", words - 1);
  static_cast<char *>(seen.data())[token] = 1;
  return Status();
}

/// A number from 0 to less than 1 for each step of a seed (SplitMix64).
static double randomOf(uint64_t seed, uint64_t step) {
  uint64_t z = seed * 0xd1342543de82ef95 + (step + 1) * 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return double((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

Result<TokenId> Sampler::next(void *scores) {
  double random = randomOf(options.seed, steps++);
  int64_t token = 0;
  Tensors tensors;
  for (const Binding &input : program.inputs) {
    void *data = input.name == "logits" ? scores
                 : input.name == "seen" ? seen.data()
                                        : &random;
    tensors.inputs.push_back({data, &input.type});
  }
  tensors.outputs.push_back({&token, &program.outputs[0].type});
  if (Status status = host.run(model, tensors); !status.ok())
    return status;
  return TokenId(token);
}
