//===- States.cpp - states of a program -----------------------------------===//
// SPDX-License-Identifier: MIT
//
// Models have no word for a state. Exporters name its output after its input,
// with one part of the name changed; a table has these parts.
//
//===----------------------------------------------------------------------===//

#include "glow/Program/States.h"
#include "glow/Program/Failure.h"
#include <algorithm>
#include <cctype>

using namespace glow;

Result<StateRequest> glow::stateRequestOf(std::span<const std::string> texts) {
  StateRequest request;
  for (const std::string &text : texts) {
    const size_t middle = text.find('=');
    if (text == "none")
      request.recognises = false;
    else if (text == "append")
      request.appends = true;
    else if (middle == std::string::npos || middle == 0 ||
             middle + 1 == text.size())
      return failureOf(
          Code::InvalidArgument,
          {"state '", text, "' should be INPUT=OUTPUT, append or none"});
    else
      request.given.push_back(
          {text.substr(0, middle), text.substr(middle + 1), true});
  }
  return request;
}

//===----------------------------------------------------------------------===//
// Given pairs
//===----------------------------------------------------------------------===//

static const Binding *find(const std::vector<Binding> &bindings,
                           const std::string &name) {
  auto found = std::ranges::find(bindings, name, &Binding::name);
  return found == bindings.end() ? nullptr : &*found;
}

static Status noSuch(const char *what, const std::string &name,
                     const std::vector<Binding> &bindings) {
  std::string names;
  for (const Binding &binding : bindings)
    names += (names.empty() ? "'" : ", '") + binding.name + "'";
  return failureOf(Code::NotFound,
                   {"the model has no ", what, " named '", name, "'; its ",
                    what, "s are ", names.empty() ? "none" : names});
}

static Status checkPair(const Program &program, const StatePair &pair,
                        const std::vector<StatePair> &earlier) {
  const Binding *input = find(program.inputs, pair.input);
  if (!input)
    return noSuch("input", pair.input, program.inputs);
  const Binding *output = find(program.outputs, pair.output);
  if (!output)
    return noSuch("output", pair.output, program.outputs);
  for (const StatePair &other : earlier)
    if (other.input == pair.input || other.output == pair.output)
      return failureOf(
          Code::InvalidArgument,
          {"state '", other.input, "=", other.output, "' has that ",
           other.input == pair.input ? "input" : "output", " already"});
  if (input->type != output->type)
    return failureOf(Code::ShapeMismatch,
                     {"input '", pair.input, "' is ", input->type.text(),
                      " and output '", pair.output, "' is ",
                      output->type.text(), ", they should be equal"});
  return Status();
}

//===----------------------------------------------------------------------===//
// Recognised pairs
//===----------------------------------------------------------------------===//

namespace {
/// Parts of the names of an output and of its input.
struct NameRule {
  enum Place { Word, End };
  std::string_view output, input;
  Place place;
  size_t leastRest, mostRest; ///< letters of the name besides the part
};
} // namespace

/// Without a name of its own besides the part, "output" and "input" would be a
/// state of every model of images.
static constexpr NameRule rules[] = {
    {"present", "past", NameRule::Word, 0, SIZE_MAX},
    {"present", "past_key_values", NameRule::Word, 0, SIZE_MAX},
    {"out", "in", NameRule::Word, 1, SIZE_MAX},
    {"output", "input", NameRule::Word, 1, SIZE_MAX},
    {"n", "0", NameRule::End, 1, SIZE_MAX}, // hn and h0
    {"N", "", NameRule::End, 1, SIZE_MAX},  // stateN and state
    {"n", "", NameRule::End, 1, 1},         // hn and h
};

static bool isWordAt(std::string_view name, size_t at, size_t size) {
  auto isLetter = [&](size_t i) {
    return i < name.size() && std::isalpha(static_cast<unsigned char>(name[i]));
  };
  return (at == 0 || !isLetter(at - 1)) && !isLetter(at + size);
}

static size_t lettersBeside(std::string_view name, size_t at, size_t size) {
  size_t letters = 0;
  for (size_t i = 0; i < name.size(); ++i)
    letters += (i < at || i >= at + size) &&
               std::isalpha(static_cast<unsigned char>(name[i]));
  return letters;
}

/// The name of the input of an output's state by a rule; "" if it does not
/// apply.
static std::string inputBy(const NameRule &rule, const std::string &output) {
  const size_t size = rule.output.size();
  const size_t at = output.rfind(rule.output);
  if (at == std::string::npos)
    return "";
  const bool isThere = rule.place == NameRule::End ? at + size == output.size()
                                                   : isWordAt(output, at, size);
  const size_t letters = lettersBeside(output, at, size);
  if (!isThere || letters < rule.leastRest || letters > rule.mostRest)
    return "";
  return output.substr(0, at) + std::string(rule.input) +
         output.substr(at + size);
}

static bool isFree(const std::vector<StatePair> &pairs,
                   const std::string &input, const std::string &output) {
  return std::ranges::none_of(pairs, [&](const StatePair &pair) {
    return pair.input == input || pair.output == output;
  });
}

std::vector<std::string> glow::stateInputsOf(const std::string &output) {
  std::vector<std::string> names;
  for (const NameRule &rule : rules)
    if (std::string name = inputBy(rule, output); !name.empty())
      names.push_back(std::move(name));
  return names;
}

/// Adds the pairs that names and types suggest.
static void recognise(const Program &program, std::vector<StatePair> &pairs) {
  for (const Binding &output : program.outputs)
    for (const std::string &name : stateInputsOf(output.name)) {
      const Binding *input = find(program.inputs, name);
      if (input && input->type == output.type &&
          input->lengths == output.lengths && isFree(pairs, name, output.name))
        pairs.push_back({name, output.name});
    }
}

//===----------------------------------------------------------------------===//
// Declaration
//===----------------------------------------------------------------------===//

bool glow::growsInRuns(const Program &program, const StatePair &pair) {
  const Binding *input = find(program.inputs, pair.input),
                *output = find(program.outputs, pair.output);
  return input && output && !input->lengths.empty() &&
         input->lengths != output->lengths;
}

Status glow::declareStates(Program &program, const StateRequest &request) {
  std::vector<StatePair> pairs;
  if (program.states)
    std::ranges::copy_if(
        *program.states, std::back_inserter(pairs),
        [&](const StatePair &pair) { return growsInRuns(program, pair); });
  // A file may be damaged in spite of its checksum: its pairs are checked, too.
  const bool isDeclared = program.states && pairs.empty() && !request.isSaid();
  for (const StatePair &pair : isDeclared ? *program.states : request.given) {
    if (std::ranges::find(pairs, pair) != pairs.end())
      continue;
    if (Status status = checkPair(program, pair, pairs); !status.ok())
      return status.prefixed("state '" + pair.input + "=" + pair.output +
                             "': ");
    pairs.push_back(pair);
  }
  if (request.recognises && !isDeclared) {
    const size_t given = pairs.size();
    recognise(program, pairs);
    // A step of a recurrent model reads and gives something besides its states.
    if (pairs.size() >= program.inputs.size() ||
        pairs.size() >= program.outputs.size())
      while (pairs.size() > given)
        pairs.pop_back();
  }
  program.states = std::move(pairs);
  return Status();
}
