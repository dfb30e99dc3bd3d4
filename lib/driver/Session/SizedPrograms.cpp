//===- SizedPrograms.cpp - programs beside that of a session --------------===//
// SPDX-License-Identifier: MIT
//
// The lengths of states differ between the runs of a session, and so do sizes
// that a condition of the program compares with them, such as that of a mask of
// all tokens. A program with one value for such a size would serve one run of
// each session. They keep their ranges; all other sizes get one value.
//
//===----------------------------------------------------------------------===//

#include "glow/Session/SizedPrograms.h"
#include "glow/Program/SizeValues.h"
#include "glow/Session/LoadedPrograms.h"
#include <algorithm>

using namespace glow;

/// Each program holds code of its own, and weights in its own form.
static constexpr size_t mostPrograms = 8;

static bool contains(const std::vector<std::string> &names,
                     const std::string &name) {
  return std::ranges::find(names, name) != names.end();
}

static bool mentions(const Length &length,
                     const std::vector<std::string> &names) {
  bool found = false;
  length.visitVariables([&](const SizeVariable &variable) {
    found |= contains(names, variable.name);
  });
  return found;
}

/// The size variables that change with the lengths of states, and with `batch`.
static std::vector<std::string> changing(const Program &program,
                                         const std::vector<StateInfo> &states,
                                         const std::string &batch) {
  std::vector<std::string> names = {batch};
  for (const StateInfo &state : states)
    if (state.grows())
      for (const Length &length : program.inputs[state.input].lengths)
        length.visitVariables([&](const SizeVariable &variable) {
          names.push_back(variable.name);
        });
  // A condition such as T == P + S gives T from P.
  auto follow = [&](const Length &one, const Length &other) {
    const SizeVariable *variable = one.variable();
    const bool isNew = variable && !other.variable() &&
                       mentions(other, names) &&
                       !contains(names, variable->name);
    if (isNew)
      names.push_back(variable->name);
    return isNew;
  };
  for (bool isNew = true; isNew;) {
    isNew = false;
    for (const SizeCondition &condition : program.conditions)
      if (condition.relation == SizeCondition::Relation::Equal)
        isNew |= follow(condition.left, condition.right) ||
                 follow(condition.right, condition.left);
  }
  return names;
}

SizedPrograms::SizedPrograms(CompileRequest given, const Program &program,
                             const ModelSpec *spec)
    : request(std::move(given)), whole(program),
      spec(spec ? std::optional(*spec) : std::nullopt),
      states(statesOf(program)), memory(request.code.memoryLimit) {
  const std::vector<std::string> open =
      changing(program, states, spec ? spec->batch : "");
  for (const auto *list : {&program.inputs, &program.outputs})
    for (const Binding &port : *list)
      ports.push_back(port.name);
  for (size_t i = 0; i < program.inputs.size(); ++i) {
    const Binding &input = program.inputs[i];
    const bool isState = std::ranges::any_of(states, [&](const auto &state) {
      return state.grows() && state.input == i;
    });
    bool makesDifference = false;
    Input own{input.name, i, {}};
    for (const Length &length : input.lengths) {
      own.isOpen.push_back(mentions(length, open));
      makesDifference |= !length.isFixed() && !own.isOpen.back();
    }
    if (makesDifference && !isState)
      inputs.push_back(std::move(own));
  }
}

std::unique_ptr<SizedPrograms> SizedPrograms::create(const Session &session,
                                                     CompileRequest request,
                                                     const Program &program) {
  return create(session, std::move(request), program, nullptr);
}

std::unique_ptr<SizedPrograms>
SizedPrograms::forRequests(ModelSpec served) const {
  std::lock_guard lock(mutex); // of the session
  return create(*session, request, whole, &served);
}

std::unique_ptr<SizedPrograms> SizedPrograms::create(const Session &session,
                                                     CompileRequest request,
                                                     const Program &program,
                                                     const ModelSpec *spec) {
  if (request.sizes.empty())
    request.sizes = session.ownSizes(request.backend);
  if (request.specialize == Specialize::None || request.sizes.empty() ||
      request.partition || session.source() == Session::Source::File ||
      !program.assumed.empty())
    return nullptr;
  Result<std::unique_ptr<Session>> other = session.another();
  std::unique_ptr<SizedPrograms> made(
      new SizedPrograms(request, program, spec));
  if (!other || made->inputs.empty())
    return nullptr;
  made->session = other.take();
  made->specializer = made->session->specializer(request, program.constants);
  if (!made->specializer)
    return nullptr;
  made->specializer->conditions = program.conditions;
  return made;
}

SizedPrograms::~SizedPrograms() {
  {
    std::lock_guard lock(loading->mutex);
    loading->isOver = true;
    std::ranges::move(loading->ready, std::back_inserter(entries));
  }
  for (const Entry &entry : entries)
    loadedOn->unload(entry.model);
}

/// Whether runs of the session may go to another program.
bool SizedPrograms::fits(const Program &other) const {
  size_t port = 0;
  for (const auto *list : {&other.inputs, &other.outputs})
    for (const Binding &binding : *list)
      if (port == ports.size() || ports[port++] != binding.name)
        return false;
  return port == ports.size() && other.assumed.empty() &&
         std::ranges::equal(statesOf(other), states, [](auto &one, auto &two) {
           return one.pair == two.pair && one.type == two.type &&
                  one.input == two.input && one.output == two.output &&
                  one.axis == two.axis && one.isUpdated == two.isUpdated;
         });
}

void SizedPrograms::add(Specialized made, Host &host) {
  if (!fits(made.program))
    return;
  MemoryBudget::Use use(memory);
  Result<MemoryBudget::Share> share =
      MemoryBudget::take(valueBytes(made.program));
  // Without memory for it, the program of ranges serves alone.
  Result<ModelId> model =
      share ? host.load(made.program) : Result<ModelId>(share.status());
  if (!model)
    return specializer.reset();
  entries.push_back({std::move(made.shapes), *model, share.take()});
}

/// Loads a program of a served model, which may take as long as some runs. The
/// host calls back on any thread, and may do so at once.
void SizedPrograms::serve(Specialized made, Host &host) const {
  if (!fits(made.program))
    return;
  ModelSpec own = *spec;
  for (const auto &[name, shape] : made.shapes)
    own.name +=
        " " + name + TensorType{ElementKind::F32, shape}.text().substr(3);
  own.programs = {std::move(made.program)};
  host.add(std::move(own), [loading = loading, shapes = std::move(made.shapes),
                            &host](Result<ModelId> model) {
    if (!model)
      return;
    std::unique_lock lock(loading->mutex);
    if (!loading->isOver)
      return loading->ready.push_back({shapes, *model, nullptr});
    lock.unlock();
    host.unload(*model);
  });
}

/// The sizes that make a difference; nothing if the inputs are of no run.
std::optional<Specializer::Shapes>
SizedPrograms::shapesOf(std::span<const TensorView> tensors) const {
  Specializer::Shapes shapes;
  for (const Input &input : inputs) {
    if (input.index >= tensors.size() || !tensors[input.index].type ||
        tensors[input.index].type->shape.size() != input.isOpen.size())
      return std::nullopt;
    Ints shape = tensors[input.index].type->shape;
    for (size_t d = 0; d < shape.size(); ++d)
      if (input.isOpen[d])
        shape[d] = -1;
    shapes.emplace(input.name, std::move(shape));
  }
  return shapes;
}

ModelId SizedPrograms::choose(std::span<const TensorView> tensors, Host &host,
                              ModelId ranges) {
  const std::optional<Specializer::Shapes> shapes = shapesOf(tensors);
  if (!shapes)
    return ranges;
  std::unique_lock lock(mutex);
  loadedOn = &host;
  {
    std::lock_guard loaded(loading->mutex);
    std::ranges::move(loading->ready, std::back_inserter(entries));
    loading->ready.clear();
  }
  std::optional<Specialized> made;
  if (specializer)
    made = specializer->take();
  if (made && !spec)
    add(std::move(*made), host);
  auto found = std::ranges::find(entries, *shapes, &Entry::shapes);
  const ModelId chosen = found != entries.end() ? found->model : ranges;
  if (specializer && found == entries.end() && entries.size() < mostPrograms)
    specializer->count(*shapes, {});
  lock.unlock();
  if (made && spec)
    serve(std::move(*made), host);
  return chosen;
}

size_t SizedPrograms::count() const {
  std::lock_guard lock(mutex);
  return entries.size();
}
