//===- Decoder.cpp - a language model that is given tokens ----------------===//
// SPDX-License-Identifier: MIT
//
// Names and types of inputs tell what they are, as with states. One range has
// the tokens of a run, another one those in the caches; so one program reads
// the prompt and makes the steps.
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "cli/Numbers.h"
#include "data/Inputs.h"
#include "glow/Program/SizeValues.h"
#include "model/Shapes.h"
#include <algorithm>
#include <limits>

using namespace glow;
using namespace glow::tool;

/// Tokens of a prompt that a run reads at most.
static constexpr int64_t largestPiece = 128;

//===----------------------------------------------------------------------===//
// The meaning of inputs and outputs
//===----------------------------------------------------------------------===//

static const Binding *find(const std::vector<Binding> &bindings,
                           const std::string &name) {
  auto found = std::ranges::find(bindings, name, &Binding::name);
  return found == bindings.end() ? nullptr : &*found;
}

static bool isOfTokens(const Binding &input) {
  return (input.type.kind == ElementKind::I64 ||
          input.type.kind == ElementKind::I32) &&
         input.type.shape.size() == 2 && input.other.empty();
}

bool Decoder::isState(const std::string &input) const {
  return std::ranges::find(caches, input, &StatePair::input) != caches.end();
}

Status Decoder::findInputs(const std::vector<Binding> &all,
                           const std::vector<Binding> &outputs) {
  for (const Binding &output : outputs) {
    bool isCache = false;
    for (const std::string &name : stateInputsOf(output.name))
      if (const Binding *input = find(all, name);
          input && !isCache && !isState(name) &&
          input->type.shape.size() == output.type.shape.size()) {
        caches.push_back({name, output.name});
        isCache = true;
      }
    const bool isScores =
        isFloat(output.type.kind) && output.type.shape.size() == 3;
    if (!isCache && isScores && (scoresName.empty() || output.name == "logits"))
      scoresName = output.name;
  }
  for (const Binding &input : all) {
    if (isState(input.name))
      continue;
    auto has = [&](const char *word) {
      return input.name.find(word) != std::string::npos;
    };
    std::string &meaning = has("position") ? positions
                           : has("mask")   ? mask
                                           : ids;
    if (!isOfTokens(input) || !meaning.empty())
      return failure(Code::Unsupported, "input '", input.name, "' is ",
                     typeText(input),
                     ", but a language model takes ids of tokens, i64[1,S], "
                     "and perhaps positions, a mask and caches");
    meaning = input.name;
  }
  if (ids.empty())
    return Status(Code::Unsupported, "no input takes ids of tokens, i64[1,S]");
  return scoresName.empty()
             ? Status(Code::Unsupported,
                      "no output has scores of tokens, f32[1,S,words]")
             : Status();
}

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

std::vector<std::string>
Decoder::ranges(const std::vector<Binding> &all) const {
  std::vector<std::string> flags;
  for (const Binding &input : all) {
    const bool isCache = isState(input.name), isMask = input.name == mask;
    for (size_t axis = 1; axis < input.type.shape.size(); ++axis) {
      // A module has ranges of its own.
      if (input.type.shape[axis] >= 0 || !input.lengths.empty())
        continue;
      // With the extent of all tokens, a mask fits what is computed for them.
      const int64_t most = isCache                     ? context
                           : isMask && !caches.empty() ? context + longest
                                                       : longest;
      std::string flag = sizeName(input, axis) + "=" + (isCache ? "0" : "1") +
                         ".." + std::to_string(most);
      if (std::ranges::find(flags, flag) == flags.end())
        flags.push_back(std::move(flag));
    }
  }
  return flags;
}

/// The greatest size of a flag such as S=4 or S=1..4; nothing for other flags.
static std::optional<int64_t> greatestOf(const std::string &flag,
                                         const std::string &name) {
  if (!flag.starts_with(name + "="))
    return std::nullopt;
  const size_t dots = flag.find(".."), begin = name.size() + 1;
  const std::string high =
      flag.substr(dots == std::string::npos ? begin : dots + 2);
  return numberIn<int64_t>(high.substr(0, high.find(':')), 1,
                           std::numeric_limits<int32_t>::max());
}

Status Decoder::compile(ModelOptions options, Session &session) {
  longest = caches.empty() ? context : std::min(context, largestPiece);
  for (const std::string &flag : options.shapes)
    if (std::optional<int64_t> most =
            greatestOf(flag, sizeName(*find(session.inputs(), ids), 1)))
      longest = *most;
  for (const std::string &flag : ranges(session.inputs())) {
    const std::string size = flag.substr(0, flag.find('=') + 1);
    if (std::ranges::none_of(options.shapes, [&](const std::string &given) {
          return given.starts_with(size);
        }))
      options.shapes.push_back(flag);
  }
  Result<CompileRequest> request = completeRequest(options, session.inputs());
  if (!request)
    return request.status();
  asked = request.take();
  asked.states.appends = true;
  Activity compiling("compiling");
  Result<Program> compiled = session.compile(asked);
  if (compiled) {
    program = compiled.take();
    sized = SizedPrograms::create(session, asked, program);
  }
  return compiled.status();
}

Status Decoder::prepare() {
  const Ints &taken = find(program.inputs, ids)->type.shape;
  if (taken[0] != 1)
    return failure(Code::Unsupported, "input '", ids, "' is of ", taken[0],
                   " texts, one is generated");
  longest = taken[1];
  for (const StatePair &cache : caches)
    if (std::ranges::none_of(*program.states, [&](const StatePair &pair) {
          return pair.input == cache.input && growsInRuns(program, pair);
        }))
      return failure(Code::Unsupported, "output '", cache.output,
                     "' should be input '", cache.input,
                     "' and new entries, joined by a Concat");
  if (caches.empty()) {
    context = std::min(context, longest);
  } else {
    Result<std::unique_ptr<SessionStates>> made =
        SessionStates::create(program);
    if (!made)
      return made.status();
    states = made.take();
    for (const StateInfo &state : states->all())
      context = std::min(context, state.capacity);
  }
  for (const Binding &input : program.inputs) {
    Result<Tensor> tensor =
        isState(input.name) ? Tensor() : Tensor::zeros(input.type);
    if (!tensor)
      return tensor.status();
    inputs.push_back(tensor.take());
  }
  for (const Binding &output : program.outputs) {
    const bool isCache = std::ranges::find(caches, output.name,
                                           &StatePair::output) != caches.end();
    Result<Tensor> tensor = isCache ? Tensor() : Tensor::zeros(output.type);
    if (!tensor)
      return tensor.status();
    others.push_back(tensor.take());
    if (output.name == scoresName)
      std::swap(logits, others.back());
  }
  Result<ModelId> loaded = host.load(program);
  if (loaded)
    model = *loaded;
  return loaded.status();
}

Result<std::unique_ptr<Decoder>> Decoder::open(const ModelOptions &options,
                                               Session &session, Host &host,
                                               int64_t context) {
  std::unique_ptr<Decoder> decoder(new Decoder(host, context));
  Status status = decoder->findInputs(session.inputs(), session.outputs());
  if (status.ok())
    status = decoder->compile(options, session);
  if (status.ok())
    status = decoder->prepare();
  if (!status.ok())
    return status.prefixed(options.model + ": ");
  return decoder;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

static void setNumber(Tensor &tensor, size_t index, int64_t number) {
  if (tensor.type().kind == ElementKind::I64)
    static_cast<int64_t *>(tensor.data())[index] = number;
  else
    static_cast<int32_t *>(tensor.data())[index] = int32_t(number);
}

/// Runs on tokens that follow `first` others.
Status Decoder::runPiece(std::span<const TokenId> piece, int64_t first) {
  const auto count = int64_t(piece.size());
  std::vector<TensorType> types, results;
  Tensors tensors;
  for (size_t i = 0; i < program.inputs.size(); ++i) {
    const Binding &input = program.inputs[i];
    TensorType type = input.type;
    if (!isState(input.name)) {
      type.shape[1] = input.name == mask ? first + count : count;
      for (int64_t at = 0; at < type.shape[1]; ++at)
        setNumber(inputs[i], size_t(at),
                  input.name == mask        ? 1
                  : input.name == positions ? first + at
                                            : piece[size_t(at)]);
    }
    types.push_back(std::move(type));
  }
  if (states)
    for (const StateInfo &state : states->all())
      types[state.input] = state.type;
  for (size_t i = 0; i < types.size(); ++i)
    tensors.inputs.push_back({inputs[i].data(), &types[i]});
  Result<std::vector<TensorType>> found = outputTypes(program, tensors.inputs);
  if (!found)
    return found.status();
  results = found.take();
  for (size_t i = 0; i < results.size(); ++i) {
    const bool isScores = program.outputs[i].name == scoresName;
    tensors.outputs.push_back(
        {isScores ? logits.data() : others[i].data(), &results[i]});
    if (isScores)
      rows = results[i].shape[1];
  }
  Status status = states ? states->bind(tensors) : Status();
  if (status.ok())
    status = host.run(
        sized ? sized->choose(tensors.inputs, host, model) : model, tensors);
  if (status.ok() && states)
    states->advance();
  return status;
}

Status Decoder::feed(std::span<const TokenId> more,
                     const std::function<bool()> &goesOn) {
  if (int64_t(more.size()) > room())
    return failure(Code::InvalidArgument, "the context has ", context,
                   " tokens, of which ", length(), " are in use: ", more.size(),
                   " do not fit");
  if (!hasCache()) {
    std::vector<TokenId> all = tokens;
    all.insert(all.end(), more.begin(), more.end());
    if (!goesOn())
      return Status(Code::Cancelled, "it was interrupted");
    Status status = runPiece(all, 0);
    if (status.ok())
      tokens = std::move(all);
    return status;
  }
  for (size_t at = 0; at < more.size();) {
    if (!goesOn())
      return Status(Code::Cancelled, "it was interrupted");
    auto piece = more.subspan(at, std::min(more.size() - at, size_t(longest)));
    if (Status status = runPiece(piece, length()); !status.ok())
      return status;
    tokens.insert(tokens.end(), piece.begin(), piece.end());
    at += piece.size();
  }
  return Status();
}

void *Decoder::scores() {
  const uint64_t row =
      TensorType{kind(), {words()}}.bytes() * uint64_t(rows - 1);
  return static_cast<char *>(logits.data()) + row;
}
