//===- ModelRunner.cpp - a model for all requested shapes -----------------===//
// SPDX-License-Identifier: MIT
//
// A program is compiled for shapes, and for the values of inputs that the model
// reads as numbers. Few of them recur, so a few programs are kept, the most
// recently used first. Once a model turns out to need stages, it runs in stages
// for all inputs.
//
//===----------------------------------------------------------------------===//

#include "glow/Session/ModelRunner.h"
#include "glow/Program/SizeValues.h"
#include <algorithm>
#include <chrono>

using namespace glow;

/// Each program holds all weights, if only as pages of a file.
static constexpr size_t mostPrograms = 8, mostOfOneSize = 8;

ModelRunner::ModelRunner(std::shared_ptr<Session> session,
                         CompileRequest request, DeviceOptions options)
    : session(std::move(session)), request(std::move(request)),
      ranges(this->request.sizes.empty()
                 ? this->session->ownSizes(this->request.backend)
                 : this->request.sizes),
      theHost(std::move(options)), memory(this->request.code.memoryLimit),
      programs(theHost, mostPrograms, &memory),
      ofOneSize(theHost, mostOfOneSize, &memory) {
  this->request.mayRunInStages = true;
}

ModelRunner::~ModelRunner() = default;

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

std::optional<Specialize> glow::specializeNamed(std::string_view name) {
  auto found = std::ranges::find(specializeNames, name);
  if (found == specializeNames.end())
    return std::nullopt;
  return Specialize(found - specializeNames.begin());
}

static Status addSmall(const std::string &name, TensorView tensor,
                       std::vector<Constant> &values) {
  // A value with more elements is no shape and no condition.
  constexpr int64_t mostElements = 4096;
  if (tensor.type->elements() > mostElements)
    return Status();
  Result<Tensor> copy = Tensor::copyOf(tensor);
  if (!copy)
    return copy.status();
  auto owner = std::make_shared<Tensor>(copy.take());
  values.push_back({name, owner->type(), owner->data(), owner});
  return Status();
}

Result<std::vector<Constant>>
glow::smallValues(std::span<const NamedTensor> inputs) {
  std::vector<Constant> values;
  for (const auto &[name, tensor] : inputs)
    if (Status status = addSmall(name, tensor.view(), values); !status.ok())
      return status;
  return values;
}

/// Whether a program that assumes some values may run on others.
static bool holds(const std::vector<Constant> &assumed,
                  const std::vector<Constant> &values) {
  return std::ranges::all_of(assumed, [&](const Constant &value) {
    return std::ranges::any_of(values, [&](const Constant &given) {
      TensorView view{const_cast<void *>(given.data), &given.type};
      return given.name == value.name && value.sameAs(view);
    });
  });
}

static double since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(
             std::chrono::steady_clock::now() - start)
      .count();
}

/// Whether a program of open sizes takes inputs of these shapes.
static bool takes(const std::vector<Binding> &inputs,
                  const std::map<std::string, Ints> &shapes) {
  if (!hasLengths(inputs))
    return false;
  SizeValues sizes;
  std::vector<TensorType> types;
  for (const Binding &input : inputs) {
    auto shape = shapes.find(input.name);
    if (shape == shapes.end())
      return false;
    types.push_back({input.type.kind, shape->second});
  }
  const std::vector<TensorView> views = typedViews(types);
  if (!sizes.bind(inputs, views).ok())
    return false;
  for (size_t i = 0; i < inputs.size(); ++i)
    if (sizes.typeOf(inputs[i].type, inputs[i].lengths) != types[i])
      return false;
  return true;
}

/// Moves the shapes of inputs with ranges from `shapes` to `sizes`: a dimension
/// without a range has the size of the run.
static void openSizes(const std::vector<Binding> &inputs,
                      CompileRequest &request) {
  for (const Binding &input : inputs) {
    auto shape = request.shapes.find(input.name);
    if (shape == request.shapes.end())
      continue;
    std::vector<SizeVariable> sizes;
    bool isOpen = false;
    for (size_t d = 0; d < input.type.shape.size() && d < shape->second.size();
         ++d) {
      if (input.type.shape[d] >= 0)
        continue;
      const std::string name = sizeName(input, d);
      auto isIt = [&](const SizeVariable &one) { return one.name == name; };
      if (std::ranges::any_of(request.sizes, isIt))
        isOpen = true;
      else
        sizes.push_back({name, shape->second[d], shape->second[d]});
    }
    if (!isOpen)
      continue;
    request.shapes.erase(shape);
    std::ranges::copy(sizes, std::back_inserter(request.sizes));
  }
}

/// Fails if sizes of a run are outside of their ranges.
static Status checkRanges(std::vector<Binding> inputs,
                          const std::vector<SizeVariable> &ranges,
                          const std::map<std::string, Ints> &shapes) {
  std::vector<TensorType> types;
  for (Binding &input : inputs) {
    auto shape = shapes.find(input.name);
    input.lengths.clear();
    types.push_back(
        {input.type.kind, shape == shapes.end() ? Ints() : shape->second});
    for (size_t d = 0; d < input.type.shape.size(); ++d) {
      auto range =
          std::ranges::find(ranges, sizeName(input, d), &SizeVariable::name);
      if (input.type.shape[d] < 0 && range != ranges.end() &&
          range->high != chosenSize)
        input.lengths.push_back(Length(*range));
      else
        input.lengths.push_back(
            d < types.back().shape.size() ? types.back().shape[d] : 0);
    }
  }
  const std::vector<TensorView> views = typedViews(types);
  return SizeValues().bind(inputs, views);
}

Status ModelRunner::prepare(const std::map<std::string, Ints> &shapes,
                            std::vector<Constant> values) {
  if (staged)
    return Status();
  if (!ranges.empty())
    if (Status status = checkRanges(session->inputs(), ranges, shapes);
        !status.ok())
      return status;
  if (findSpecialized(shapes, values))
    return Status();
  prepared = programs.find([&](const Loaded &entry) {
    return (entry.shapes == shapes || takes(entry.inputs, shapes)) &&
           holds(entry.assumed, values);
  });
  if (!prepared)
    return compile(shapes, std::move(values));
  if (specializer && specializations < mostOfOneSize)
    specializer->count(shapes, values);
  return Status();
}

/// Prepares a program of one size for these shapes. False without one.
bool ModelRunner::findSpecialized(const std::map<std::string, Ints> &shapes,
                                  const std::vector<Constant> &values) {
  if (!specializer)
    return false;
  if (std::optional<Specialized> made = specializer->take()) {
    Program &program = made->program;
    Loaded entry{{},
                 std::move(made->shapes),
                 program.inputs,
                 program.outputs,
                 program.assumed};
    // Without memory for it, the program of ranges serves alone.
    if (!ofOneSize.add(std::move(entry), &program).ok()) {
      specializer.reset();
      return false;
    }
    ++specializations;
  }
  prepared = ofOneSize.find([&](const Loaded &entry) {
    return entry.shapes == shapes && holds(entry.assumed, values);
  });
  return prepared;
}

/// Takes the greatest sizes that the compiler has chosen.
void ModelRunner::takeRanges(const std::vector<Binding> &inputs) {
  for (const Binding &input : inputs)
    for (const Length &length : input.lengths)
      length.visitVariables([&](const SizeVariable &variable) {
        for (auto *list : {&ranges, &request.sizes})
          for (SizeVariable &range : *list)
            if (range.name == variable.name)
              range = variable;
      });
}

Status ModelRunner::compile(const std::map<std::string, Ints> &shapes,
                            std::vector<Constant> values) {
  prepared = nullptr; // an entry may be dropped
  request.shapes = shapes;
  request.sizes = ranges;
  if (!ranges.empty())
    openSizes(session->inputs(), request);
  request.values = std::move(values);
  auto start = std::chrono::steady_clock::now();
  Result<Program> program = session->compile(request);
  compileTime = since(start);
  source = session->source();
  if (program) {
    start = std::chrono::steady_clock::now();
    Status status = programs.add(
        {{}, shapes, program->inputs, program->outputs, program->assumed},
        &*program);
    loadTime = since(start);
    if (!status.ok())
      return status;
    prepared = &programs.front();
    takeRanges(program->inputs);
    // A compiled file has the program of ranges alone.
    if (Specializer::isWanted(request) && hasLengths(program->inputs) &&
        source != Session::Source::File)
      specializer = session->specializer(request, program->constants);
    if (specializer)
      specializer->count(shapes, request.values);
    return Status();
  }
  // Only a compilation finds out that no single program is enough.
  if (program.status().code() != Code::InStages)
    return program.status();
  Result<std::unique_ptr<StagedModel>> opened =
      session->stages(request, theHost);
  if (opened)
    staged = opened.take();
  return opened.status();
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

/// A value that refers to a tensor, whose owner keeps it for as long.
static HostValue borrowed(const Tensor &tensor) {
  return HostValue(
      // The pointer owns nothing: the caller keeps its inputs until the run is
      // done.
      std::shared_ptr<const Tensor>(std::shared_ptr<void>(), &tensor));
}

static Status appendTensors(const std::string &name, const HostValue &value,
                            std::vector<NamedTensor> &tensors) {
  if (const HostValue::Sequence *sequence = value.sequence()) {
    for (size_t i = 0; i < sequence->size(); ++i)
      if (Status status = appendTensors(name + "[" + std::to_string(i) + "]",
                                        (*sequence)[i], tensors);
          !status.ok())
        return status;
    return Status();
  }
  if (!value.tensor())
    return Status();
  Result<Tensor> copy = Tensor::copyOf(value.tensor()->view());
  if (copy)
    tensors.push_back({name, copy.take()});
  return copy.status();
}

Result<std::vector<NamedTensor>>
glow::tensorsOf(std::span<const NamedValue> values) {
  std::vector<NamedTensor> tensors;
  for (const NamedValue &value : values)
    if (Status status = appendTensors(value.name, value.value, tensors);
        !status.ok())
      return status;
  return tensors;
}

Status ModelRunner::runPrepared(std::span<const NamedTensor> inputs,
                                std::vector<NamedTensor> &outputs) {
  if (!staged)
    return theHost.run(*prepared->model, inputs, outputs);
  std::vector<NamedValue> values, results;
  for (const NamedTensor &input : inputs)
    values.push_back({input.name, borrowed(input.tensor)});
  if (Status status = staged->run(values, results); !status.ok())
    return status;
  compileTime = staged->compileTime();
  MemoryBudget::Use use(staged->memory());
  Result<std::vector<NamedTensor>> tensors = tensorsOf(results);
  if (tensors)
    outputs = tensors.take();
  return tensors.status();
}

static const HostValue *find(std::span<const NamedValue> values,
                             const std::string &name) {
  auto found = std::ranges::find_if(
      values, [&](const NamedValue &value) { return value.name == name; });
  return found == values.end() ? nullptr : &found->value;
}

Status ModelRunner::runWhole(std::span<const NamedValue> inputs,
                             std::vector<NamedValue> &outputs) {
  const Loaded &program = *prepared;
  Tensors tensors;
  for (const Binding &input : program.inputs)
    tensors.inputs.push_back(find(inputs, input.name)->tensor()->view());
  SizeValues sizes;
  if (Status status = sizes.bind(program.inputs, tensors.inputs); !status.ok())
    return status;
  std::vector<Tensor> results;
  for (const Binding &output : program.outputs) {
    Result<Tensor> result =
        Tensor::zeros(sizes.typeOf(output.type, output.lengths));
    if (!result)
      return result.status().prefixed("output '" + output.name + "': ");
    results.push_back(result.take());
  }
  for (Tensor &result : results)
    tensors.outputs.push_back(result.view());
  std::vector<Ints> shapes;
  tensors.outputShapes = &shapes;
  Status status = theHost.run(*program.model, tensors);
  for (size_t i = 0; status.ok() && i < shapes.size(); ++i)
    status = results[i].shrink(shapes[i]);
  if (!status.ok())
    return status;
  outputs.clear();
  for (size_t i = 0; i < results.size(); ++i)
    outputs.push_back({program.outputs[i].name, std::move(results[i])});
  return Status();
}

Status ModelRunner::prepare(std::span<const NamedValue> inputs) {
  std::map<std::string, Ints> shapes;
  std::vector<Constant> values;
  auto add = [&](const std::string &name, const HostValue &value) {
    // Strings and lists have no program; the stages handle them.
    if (!value.tensor())
      return Status();
    shapes[name] = value.tensor()->type().shape;
    return addSmall(name, value.tensor()->view(), values);
  };
  for (const Binding &input : session->inputs()) {
    const HostValue *value = find(inputs, input.name);
    if (!value)
      return failure(Code::NotFound, "input '", input.name, "' is not given");
    if (Status status = add(input.name, *value); !status.ok())
      return status;
  }
  std::vector<std::string> others;
  for (const Binding &initializer : session->overridable())
    if (const HostValue *value = find(inputs, initializer.name)) {
      others.push_back(initializer.name);
      if (Status status = add(initializer.name, *value); !status.ok())
        return status;
    }
  // Stages hold initializers as constants.
  if (others != replaced)
    staged.reset();
  replaced = std::move(others);
  return prepare(shapes, std::move(values));
}

Status ModelRunner::runPrepared(std::span<const NamedValue> inputs,
                                std::vector<NamedValue> &outputs) {
  if (!staged)
    return runWhole(inputs, outputs);
  Status status = staged->run(inputs, outputs);
  compileTime = staged->compileTime();
  return status;
}
