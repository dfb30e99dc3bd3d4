//===- Models.cpp - adding, finding and unloading models ------------------===//
// SPDX-License-Identifier: MIT

#include "Core.h"
#include "glow/Program/SizeValues.h"
#include "glow/Program/Steps.h"
#include "glow/Runtime/DeviceRegistry.h"
#include "glow/Runtime/Host.h"
#include <algorithm>
#include <future>

using namespace glow;
using namespace glow::runtime;

/// Sets the lengths of the values of an open program. A part has those of the
/// values between parts that it writes.
static void findLengths(Variant &variant) {
  const Program &program = variant.program;
  static const std::vector<Length> fixed;
  variant.lengths.assign(variant.types.size(), &fixed);
  size_t value = 0;
  for (const std::vector<Binding> *list : {&program.inputs, &program.outputs})
    for (const Binding &binding : *list)
      variant.lengths[value++] = &binding.lengths;
  for (const ProgramPart &part : variant.parts)
    for (size_t i = 0; i < part.outputs.size(); ++i)
      if (part.outputs[i] >= value)
        variant.lengths[part.outputs[i]] = &part.program->outputs[i].lengths;
}

/// Sets the parts of a variant, and for each part the parts that wait for it. A
/// part waits for earlier parts that write a value which it reads or writes,
/// and for earlier parts that read a value which it writes.
static void findParts(Variant &variant) {
  const Program &program = variant.program;
  if (const PartsCode *code = partsOf(program)) {
    for (const PartsCode::Part &part : code->parts)
      variant.parts.push_back({&part.program, part.inputs, part.outputs, {}});
    variant.between = code->between;
  } else {
    ProgramPart whole{&program, {}, {}, {}};
    for (uint32_t i = 0; i < program.inputs.size(); ++i)
      whole.inputs.push_back(i);
    for (uint32_t i = 0; i < program.outputs.size(); ++i)
      whole.outputs.push_back(uint32_t(program.inputs.size()) + i);
    variant.parts.push_back(std::move(whole));
  }
  for (const Binding &binding : program.inputs)
    variant.types.push_back(&binding.type);
  for (const Binding &binding : program.outputs)
    variant.types.push_back(&binding.type);
  for (const TensorType &type : variant.between)
    variant.types.push_back(&type);
  for (const TensorType *type : variant.types)
    variant.bytesOfRun += type->bytes();
  if (hasLengths(program.inputs))
    findLengths(variant);

  auto has = [](const std::vector<uint32_t> &list, uint32_t value) {
    return std::ranges::find(list, value) != list.end();
  };
  for (uint32_t later = 0; later < variant.parts.size(); ++later)
    for (uint32_t earlier = 0; earlier < later; ++earlier) {
      ProgramPart &first = variant.parts[earlier],
                  &second = variant.parts[later];
      bool waits = false;
      for (uint32_t value : first.outputs)
        waits |= has(second.inputs, value) || has(second.outputs, value);
      for (uint32_t value : first.inputs)
        waits |= has(second.outputs, value);
      if (waits)
        first.next.push_back(later);
    }
}

/// Whether two bindings differ in the first dimension alone.
static Status checkRows(const Binding &first, const Binding &other,
                        int64_t batch, int64_t otherBatch) {
  auto fails = [&](const Binding &binding, int64_t rows) {
    return binding.type.shape.empty() || binding.type.shape[0] != rows ||
           rows < 1;
  };
  TensorType type = other.type;
  if (!type.shape.empty() && !first.type.shape.empty())
    type.shape[0] = first.type.shape[0];
  if (fails(first, batch) || fails(other, otherBatch) || type != first.type ||
      first.name != other.name)
    return failure(Code::InvalidArgument, "'", other.name, "' is ",
                   other.type.text(), " and '", first.name, "' ",
                   first.type.text(),
                   ", the programs of a model should differ in the first "
                   "dimension alone, which is the batch");
  return Status();
}

/// Whether a variable occurs in lengths.
static bool occurs(const std::string &name, std::span<const Length> lengths) {
  bool does = false;
  for (const Length &length : lengths)
    length.visitVariables(
        [&](const SizeVariable &variable) { does |= variable.name == name; });
  return does;
}

/// Checks that requests can be joined along the variable `batch`, and sets the
/// most rows of a run.
static Status checkJoining(Variant &variant, const std::string &batch) {
  const Program &program = variant.program;
  for (const std::vector<Binding> *list : {&program.inputs, &program.outputs})
    for (const Binding &binding : *list) {
      const std::vector<Length> &lengths = binding.lengths;
      const SizeVariable *first =
          lengths.empty() ? nullptr : lengths.front().variable();
      if (!first || first->name != batch ||
          occurs(batch, std::span(lengths).subspan(1)))
        return failure(Code::InvalidArgument, "'", binding.name, "' is ",
                       openTypeText(binding), ", dimension 0 alone should be '",
                       batch, "', along which requests are joined");
      if (first->low < 1)
        return failure(Code::InvalidArgument, "requests are joined along '",
                       batch, "', which is ", first->text(),
                       ", it should be from 1 on");
      variant.batch = first->high;
    }
  for (const SizeCondition &condition : program.conditions)
    if (occurs(batch, {{condition.left, condition.right}}))
      return failure(Code::InvalidArgument, "requests are joined along '",
                     batch, "', but the program needs ", condition.text());
  return Status();
}

static Status checkBatches(ServedModel &model) {
  auto &variants = model.variants;
  const Program &first = variants.front()->program;
  auto all = [](const Program &program) {
    std::vector<Binding> bindings = program.inputs;
    bindings.insert(bindings.end(), program.outputs.begin(),
                    program.outputs.end());
    return bindings;
  };
  for (auto &variant : variants) {
    const Program &program = variant->program;
    if (hasLengths(program.inputs))
      return Status(Code::Unsupported,
                    "the programs of a model with batches have fixed sizes, "
                    "or are one of a range of batch sizes");
    if (program.inputs.empty() || program.inputs[0].type.shape.empty())
      return Status(Code::InvalidArgument,
                    "a model with batches has no first input of rows");
    if (program.inputs.size() != first.inputs.size() ||
        program.outputs.size() != first.outputs.size() ||
        variant->parts.size() != variants.front()->parts.size())
      return Status(Code::InvalidArgument,
                    "the programs of a model have different numbers of inputs, "
                    "outputs or parts");
    variant->batch = program.inputs[0].type.shape[0];
  }
  const std::vector<Binding> bindings = all(first);
  for (auto &variant : variants) {
    const std::vector<Binding> others = all(variant->program);
    for (size_t i = 0; i < bindings.size(); ++i)
      if (Status status = checkRows(bindings[i], others[i],
                                    variants.front()->batch, variant->batch);
          !status.ok())
        return status;
    for (size_t p = 0; p < variant->parts.size(); ++p)
      if (variant->parts[p].program->backend !=
          variants.front()->parts[p].program->backend)
        return Status(Code::InvalidArgument,
                      "the programs of a model are of different backends");
  }
  std::ranges::sort(variants, {}, [](const auto &one) { return one->batch; });
  for (size_t i = 1; i < variants.size(); ++i)
    if (variants[i]->batch == variants[i - 1]->batch)
      return failure(Code::InvalidArgument, "two programs have a batch of ",
                     variants[i]->batch);
  return Status();
}

/// Makes a model from its spec, without an id. No other thread knows the model
/// yet, so that no lock is needed.
static Result<std::shared_ptr<ServedModel>> makeModel(ModelSpec spec) {
  auto model = std::make_shared<ServedModel>();
  model->queue = std::make_shared<Queue>();
  if (spec.programs.empty())
    return failure(Code::InvalidArgument, "model '", spec.name,
                   "' has no program");
  if (spec.weight == 0)
    return failure(Code::InvalidArgument, "model '", spec.name,
                   "' has weight 0, it should be at least 1");
  model->isBatched = spec.programs.size() > 1;
  for (Program &program : spec.programs) {
    auto variant = std::make_unique<Variant>();
    variant->program = std::move(program);
    findParts(*variant);
    model->variants.push_back(std::move(variant));
  }
  Status status = model->isBatched ? checkBatches(*model) : Status();
  const auto *code = dynamic_cast<const StepCode *>(
      model->variants.front()->program.code.get());
  if ((model->isBatched || !spec.batch.empty()) && code &&
      computesLengths(*code))
    status = Status(Code::Unsupported,
                    "a program whose nodes compute sizes runs for one request "
                    "at a time, without batches");
  if (status.ok() && !spec.batch.empty())
    status = checkJoining(*model->variants.front(), spec.batch);
  if (!status.ok())
    return status.prefixed("model '" + spec.name + "': ");
  model->isBatched |= !spec.batch.empty();
  spec.programs.clear();
  if (spec.hasCanary)
    for (size_t i = 0; i < model->variants.size(); ++i)
      if (Status status = makeCanaryInputs(*model->variants[i], spec, i == 0);
          !status.ok())
        return status;
  model->spec = std::move(spec);
  return model;
}

/// Loads the model on a worker thread. `done` is called once: on this thread if
/// the spec is refused or the system gives no thread; else by the thread whose
/// Entry has ended the loading.
void Host::add(ModelSpec spec, std::function<void(Result<ModelId>)> done) {
  Result<std::shared_ptr<ServedModel>> made = makeModel(std::move(spec));
  if (!made)
    return done(made.status());
  if (Status status = core->workers->begin(true); !status.ok())
    return done(status);
  // Set before the model enters the host: from then on any thread may call it.
  std::shared_ptr<ServedModel> model = made.take();
  model->whenLoaded = std::move(done);
  {
    Core::Entry entry(core);
    core->provisioner.add(model);
  }
  core->workers->post(core->whileAlive(
      [core = core.get(), model] { core->provisioner.provision(model); }));
}

Result<ModelId> Host::add(ModelSpec spec) {
  // Shared: the thread that sets the value may still use the promise when this
  // function has returned.
  auto result = std::make_shared<std::promise<Result<ModelId>>>();
  add(std::move(spec),
      [result](Result<ModelId> id) { result->set_value(std::move(id)); });
  return result->get_future().get();
}

Result<ModelId> Host::load(const Program &program) {
  ModelSpec spec;
  spec.programs.push_back(program);
  spec.hasCanary = false;
  Result<std::shared_ptr<ServedModel>> made = makeModel(std::move(spec));
  if (!made)
    return made.status();
  std::shared_ptr<ServedModel> model = made.take();
  if (core->options.hangFactor > 0)
    if (Status status = core->workers->begin(true); !status.ok())
      return status;
  for (const ProgramPart &part : model->variants.front()->parts)
    if (Status status = open(part.program->backend); !status.ok())
      return status;
  // Without a watchdog devices load on this thread, before provision() returns.
  auto loaded = std::make_shared<std::promise<Result<ModelId>>>();
  model->whenLoaded = [loaded](Result<ModelId> id) {
    loaded->set_value(std::move(id));
  };
  {
    Core::Entry entry(core);
    core->provisioner.add(model);
  }
  core->provisioner.provision(model);
  return loaded->get_future().get();
}

void Host::unload(ModelId id) {
  Core::Entry entry(core);
  core->provisioner.unload(id);
}

Result<ModelId> Host::find(std::string_view name) const {
  std::lock_guard lock(core->mutex);
  if (std::shared_ptr<ServedModel> model = core->provisioner.find(name))
    return model->id;
  return failure(Code::NotFound, "no model is served as '", name, "'");
}
