//===- Trainer.cpp - a model that learns from data ------------------------===//
// SPDX-License-Identifier: MIT

#include "Checkpoint.h"
#include "TrainerOfModel.h"
#include "glow/Base/Hash.h"
#include "glow/Program/Failure.h"
#include <algorithm>
#include <bit>
#include <cmath>
#include <filesystem>
#include <numeric>

using namespace glow;

static Status checkOptions(const TrainerOptions &options) {
  if (options.epochs < 1 || options.batch < 1)
    return failureOf(Code::InvalidArgument,
                     {"epochs and batch should be at least 1, and are ",
                      std::to_string(options.epochs), " and ",
                      std::to_string(options.batch)});
  if (!(options.validation >= 0 && options.validation < 1))
    return failureOf(Code::InvalidArgument,
                     {"validation is a share of the rows from 0 to below 1, "
                      "and is ",
                      std::to_string(options.validation)});
  return Status();
}

/// Finds the number of classes that the model declares.
void TrainerOfModel::findClasses() {
  if (options.training.loss != lossNames[0])
    return;
  for (const Binding &output : session->outputs())
    if (options.training.output.empty() ||
        output.name == options.training.output) {
      const Ints &shape = output.type.shape;
      classes = shape.size() > 1 ? std::max<int64_t>(0, shape[1]) : 0;
      return;
    }
}

/// Opens the model. If the file declares a number of rows that is not the
/// batch, a copy in memory leaves that open.
Status TrainerOfModel::openSession() {
  Result<std::unique_ptr<Session>> opened =
      options.sessions->open(options.model);
  if (!opened)
    return opened.status();
  session = opened.take();
  findClasses();
  std::vector<std::string> names;
  bool isOther = false;
  for (const Binding &input : session->inputs()) {
    names.push_back(input.name);
    const int64_t rows = file.rowsOf(input.name);
    if (rows >= 0 && rows != ownBatch())
      isOther = true, declaredRows = rows;
  }
  if (!isOther)
    return Status();
  Result<std::string> bytes = file.bytesForRows(names);
  if (!bytes)
    return bytes.status();
  auto made = MemoryFile::make(options.model, *bytes);
  if (!made)
    return made.status();
  memory = made.take();
  opened = options.sessions->open(memory->path());
  if (!opened)
    return opened.status();
  session = opened.take();
  return Status();
}

Result<Program> TrainerOfModel::program(TrainingRequest::Part part) {
  CompileRequest request = options.request;
  request.path = memory ? memory->path() : options.model;
  request.shapes = data->shapes(ownBatch());
  request.cacheDir.clear();
  TrainingRequest training = options.training;
  training.part = part;
  training.among = file.names();
  request.training = std::make_shared<TrainingRequest>(std::move(training));
  Result<Program> made = session->compile(request);
  if (made || !memory || made.status().code() != Code::Reported)
    return made;
  const std::string rows = std::to_string(declaredRows);
  const std::string all = std::to_string(declaredRows * group.count());
  return failureOf(Code::Unsupported,
                   {options.model, " declares ", rows,
                    " rows, and cannot be compiled for a batch of ",
                    std::to_string(ownBatch()), ": say --batch=", all});
}

/// Compiles the step and, for rows of validation, the loss alone: programs over
/// the same weights.
Status TrainerOfModel::compile() {
  std::vector<Program> programs;
  std::vector<TrainingRequest::Part> parts = {TrainingRequest::Step};
  std::vector<std::unique_ptr<StepProgram> *> places = {&theStep};
  if (!group.isAlone()) {
    parts = {TrainingRequest::Backward, TrainingRequest::Update};
    places.push_back(&update);
  }
  if (!held.empty()) {
    parts.push_back(TrainingRequest::Evaluation);
    places.push_back(&evaluation);
  }
  for (TrainingRequest::Part part : parts) {
    Result<Program> made = program(part);
    if (!made)
      return made.status();
    programs.push_back(made.take());
    if (part == parts[0])
      if (Status status = data->check(programs.back(), classes); !status.ok())
        return status;
  }
  std::vector<const Program *> all;
  for (const Program &program : programs)
    all.push_back(&program);
  Result<std::unique_ptr<SessionStates>> opened = SessionStates::create(all);
  if (!opened)
    return opened.status();
  states = opened.take();
  for (size_t i = 0; i < programs.size(); ++i) {
    Result<StepProgram> loaded =
        StepProgram::load(host, std::move(programs[i]), *states, i);
    if (!loaded)
      return loaded.status();
    *places[i] = std::make_unique<StepProgram>(loaded.take());
  }
  return Status();
}

/// Gives the states that are weights of the file their values. Returns their
/// numbers.
static Result<std::vector<size_t>> takeWeights(const WeightFile &file,
                                               SessionStates &states) {
  const std::vector<std::string> known = file.names();
  std::vector<size_t> weights;
  for (size_t i = 0; i < states.all().size(); ++i) {
    const std::string &name = states.all()[i].pair.input;
    if (std::ranges::find(known, name) == known.end())
      continue;
    Result<Tensor> value = file.value(name);
    if (!value)
      return value.status();
    if (Status status = states.set(i, value->view()); !status.ok())
      return status;
    weights.push_back(i);
  }
  return weights;
}

Status TrainerOfModel::setWeights() {
  Result<std::vector<size_t>> weights = takeWeights(file, *states);
  if (!weights)
    return weights.status();
  for (size_t state : *weights) {
    const StateInfo &info = states->all()[state];
    if (info.pair.output.ends_with(training::moved))
      statistics.push_back(info.pair.input);
    else
      theWeights.push_back({info.pair.input, info.type});
  }
  return setSeed();
}

/// Gives dropouts, where there are any, their first seed.
Status TrainerOfModel::setSeed() {
  Result<size_t> state = states->find(training::seed);
  if (!state)
    return Status();
  Result<Tensor> seed = Tensor::zeros(states->all()[*state].type);
  if (!seed)
    return seed.status();
  seed->elements<uint32_t>()[0] =
      uint32_t(options.seed) ^ uint32_t(options.seed >> 32);
  return states->set(*state, seed->view());
}

Result<std::vector<std::string>> glow::weightNames(const std::string &model) {
  Result<WeightFile> file = WeightFile::open(model);
  if (!file)
    return file.status();
  return file->names();
}

Status glow::saveFirstStates(const Program &step, const std::string &model,
                             const std::string &path) {
  Result<WeightFile> file = WeightFile::open(model);
  if (!file)
    return file.status();
  Result<std::unique_ptr<SessionStates>> states = SessionStates::create(step);
  if (!states)
    return states.status();
  if (auto weights = takeWeights(*file, **states); !weights)
    return weights.status();
  return (*states)->save(path);
}

/// Continues from the checkpoint, if there is one.
Status TrainerOfModel::restore() {
  std::error_code error;
  if (options.checkpoint.empty() ||
      !std::filesystem::exists(options.checkpoint, error))
    return Status();
  Status status =
      Checkpoint(*states, identity()).restore(*states, options.checkpoint);
  // Earlier versions wrote the states of one process as those of a session.
  if (!status.ok() && group.isAlone() &&
      states->restore(options.checkpoint).ok())
    status = Status();
  Result<size_t> steps = states->find(training::steps);
  if (status.ok())
    status = steps.status();
  if (!status.ok())
    return status.prefixed("--checkpoint: ");
  stepsDone = int64_t(*states->value(*steps).as<const float>());
  return Status();
}

/// Checks that all processes go on from the same step, prepares their sums, and
/// gives the dropouts of each process numbers of their own.
Status TrainerOfModel::divideAmongProcesses() {
  if (group.isAlone())
    return Status();
  LossSums steps{double(stepsDone), 0, 1};
  if (Status status = group.share(Status(), &steps, nullptr); !status.ok())
    return status;
  if (steps.meanLoss() != double(stepsDone))
    return failureOf(Code::NotFound,
                     {"--checkpoint: this process goes on behind step ",
                      std::to_string(stepsDone), ", and others do not: '",
                      options.checkpoint, "' should be the same file for all"});
  auto made =
      SharedValues::create(group, *theStep, *update, *states, statistics);
  if (Status status = group.agree(made.status()); !status.ok())
    return status;
  shared = made.take();
  Result<size_t> state = states->find(training::seed);
  if (!state || group.rank() == 0)
    return Status();
  constexpr uint32_t apart = 0x9e3779b9; // 2^32 by the golden ratio
  const TensorView seed = states->value(*state);
  uint32_t own = *seed.as<const uint32_t>() + uint32_t(group.rank()) * apart;
  return states->set(*state, {&own, seed.type});
}

/// The first process writes the file: its states are those of all.
Status TrainerOfModel::saveCheckpoint() const {
  if (options.checkpoint.empty())
    return Status();
  return Group(options.group)
      .agree(group.rank() == 0 ? Checkpoint(*states, identity())
                                     .save(*states, options.checkpoint)
                               : Status());
}

/// A text for checkpoints: the model, and the options that states follow from.
std::string TrainerOfModel::identity() const {
  Result<std::string> bytes = file.bytes();
  const TrainingRequest &training = options.training;
  const OptimizerRequest &optimizer = training.optimizer;
  std::string text = bytes ? Hash::of(*bytes).text() : "";
  for (const std::string &word :
       {std::to_string(options.batch), training.loss, training.output,
        training.batchNorm, training.dropout, optimizer.name})
    text += " " + word;
  for (double number : {optimizer.momentum, optimizer.beta1, optimizer.beta2,
                        optimizer.keep, optimizer.decay, optimizer.l1,
                        optimizer.l2, optimizer.clipValue, optimizer.clipNorm})
    text += " " + std::to_string(std::bit_cast<uint64_t>(number));
  return text;
}

/// The rows for validation are drawn once, by the seed.
void TrainerOfModel::divideRows() {
  order.resize(size_t(data->rows()));
  std::iota(order.begin(), order.end(), 0);
  shuffle(order, options.seed);
  const auto kept =
      size_t(std::llround(double(order.size()) * (1 - options.validation)));
  held.assign(order.begin() + std::ptrdiff_t(std::max<size_t>(1, kept)),
              order.end());
  order.resize(order.size() - held.size());
}

static Status checkGroup(const TrainerOptions &options, const Group &group) {
  if (options.batch % group.count() == 0)
    return Status();
  return failureOf(Code::InvalidArgument,
                   {"a batch of ", std::to_string(options.batch),
                    " rows is not divided evenly among ",
                    std::to_string(group.count()), " processes"});
}

Status TrainerOfModel::open() {
  Status status = checkOptions(options);
  if (status.ok())
    status = checkGroup(options, group);
  if (status.ok())
    status = openSession();
  if (!status.ok())
    return status;
  Result<Data> opened = Data::open(options, session->inputs());
  if (!opened)
    return opened.status();
  data = std::make_unique<Data>(opened.take());
  divideRows();
  status = compile();
  if (status.ok())
    status = setWeights();
  return status.ok() ? restore() : status;
}

Result<std::unique_ptr<Trainer>> Trainer::open(const TrainerOptions &options) {
  Group group(options.group);
  Result<WeightFile> file = WeightFile::open(options.model);
  Status status = group.agree(file ? Status() : file.status());
  if (!status.ok())
    return status;
  auto trainer = std::make_unique<TrainerOfModel>(options, file.take());
  status = group.agree(trainer->open());
  if (status.ok())
    status = trainer->divideAmongProcesses();
  if (!status.ok())
    return status;
  return std::unique_ptr<Trainer>(std::move(trainer));
}
