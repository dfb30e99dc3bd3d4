//===- Data.cpp - rows that a model learns from ---------------------------===//
// SPDX-License-Identifier: MIT

#include "Data.h"
#include "glow/Program/Failure.h"
#include <algorithm>
#include <filesystem>

using namespace glow;

static std::string listOf(const std::vector<Binding> &inputs) {
  std::string names;
  for (const Binding &input : inputs)
    names += (names.empty() ? "'" : ", '") + input.name + "'";
  return names;
}

/// Divides "NAME=FILE"; a file alone is that of the only input.
static Status divide(const std::string &text,
                     const std::vector<Binding> &inputs, std::string &name,
                     std::string &file) {
  const size_t middle = text.find('=');
  name = middle == std::string::npos ? "" : text.substr(0, middle);
  file = middle == std::string::npos ? text : text.substr(middle + 1);
  if (name.empty() && inputs.size() == 1)
    name = inputs[0].name;
  if (std::ranges::find(inputs, name, &Binding::name) != inputs.end())
    return Status();
  return failureOf(Code::NotFound, {"--data '", text,
                                    "' should be INPUT=FILE; the inputs of "
                                    "the model are ",
                                    listOf(inputs)});
}

/// Fails if the rows of a file do not have the sizes of those of an input, as
/// far as they are known. A last axis of size 1 does not count.
static Status checkRows(const RowSource &rows, const Binding &input) {
  Ints has = rows.type().shape, wants = input.type.shape;
  if (!input.ranked || wants.empty())
    return Status();
  wants[0] = has[0];
  if (has.size() == wants.size() + 1 && has.back() == 1)
    has.pop_back();
  if (std::ranges::equal(has, wants, [](int64_t is, int64_t should) {
        return should < 0 || is == should;
      }))
    return Status();
  const TensorType should{rows.type().kind, wants};
  return failureOf(Code::ShapeMismatch,
                   {"'", rows.path(), "' is ", rows.type().text(),
                    ", and should be ", should.text(), " for '", input.name,
                    "'"});
}

/// The name of the input for which the caller has rows.
static Result<std::string> inputOf(const std::string &name,
                                   const std::vector<Binding> &inputs) {
  if (name.empty() && inputs.size() == 1)
    return inputs[0].name;
  if (std::ranges::find(inputs, name, &Binding::name) != inputs.end())
    return name;
  return failureOf(Code::NotFound, {"the model has no input named '", name,
                                    "'; there are: ", listOf(inputs)});
}

/// Opens the rows of an input that are in a file or a folder.
static Result<std::shared_ptr<const RowSource>>
openRows(const TrainerOptions &options, const std::string &path,
         const Binding &input) {
  std::error_code error;
  if (!std::filesystem::is_directory(path, error)) {
    Result<MappedRows> rows = MappedRows::open(path);
    if (!rows)
      return rows.status();
    return std::shared_ptr<const RowSource>(
        std::make_shared<MappedRows>(rows.take()));
  }
  if (!options.openFolder)
    return failureOf(Code::Unsupported,
                     {"'", path,
                      "' is a folder, and rows are arrays or npy files here; "
                      "the command `glow train` reads folders of pictures"});
  return options.openFolder(path, input);
}

/// The rows of all inputs that have some.
Result<Data::Sources> Data::sourcesOf(const TrainerOptions &options,
                                      const std::vector<Binding> &inputs) {
  Sources sources;
  for (const auto &[given, tensor] : options.rows) {
    Result<std::string> name = inputOf(given, inputs);
    if (!name)
      return name.status();
    Result<MappedRows> rows = MappedRows::of(*name, tensor);
    if (!rows)
      return rows.status().prefixed("--data: ");
    sources.emplace_back(*name, std::make_shared<MappedRows>(rows.take()));
  }
  for (const std::string &text : options.data) {
    std::string name, path;
    if (Status status = divide(text, inputs, name, path); !status.ok())
      return status;
    const auto input = std::ranges::find(inputs, name, &Binding::name);
    Result<Source> rows = openRows(options, path, *input);
    if (!rows)
      return rows.status().prefixed("--data: ");
    sources.emplace_back(name, rows.take());
  }
  return sources;
}

Result<MappedRows> Data::labelsOf(const TrainerOptions &options,
                                  const Sources &sources) {
  const bool areGiven = options.labelRows.type || !options.labels.empty();
  for (const auto &[name, rows] : sources)
    if (std::optional<TensorView> own = rows->labels())
      return areGiven
                 ? failureOf(Code::InvalidArgument,
                             {"the folders in '", rows->path(),
                              "' are the labels of its rows: leave --labels "
                              "out"})
                 : MappedRows::of(rows->path(), *own);
  if (!areGiven)
    return Status(Code::NotFound,
                  "there are no labels: say --labels=FILE, or --data=FOLDER "
                  "with a folder of pictures for each class");
  Result<MappedRows> labels = options.labelRows.type
                                  ? MappedRows::of("labels", options.labelRows)
                                  : MappedRows::open(options.labels);
  return labels ? std::move(labels) : labels.status().prefixed("--labels: ");
}

Result<Data> Data::open(const TrainerOptions &options,
                        const std::vector<Binding> &inputs) {
  Result<Sources> sources = sourcesOf(options, inputs);
  if (!sources)
    return sources.status();
  Result<MappedRows> labels = labelsOf(options, *sources);
  if (!labels)
    return labels.status();
  Data data(labels.take());
  for (auto &[name, rows] : *sources) {
    if (rows->rows() != data.rows())
      return failureOf(Code::ShapeMismatch,
                       {"'", rows->path(), "' has ",
                        std::to_string(rows->rows()), " rows, and the labels '",
                        data.labels.path(), "' have ",
                        std::to_string(data.rows())});
    const auto input = std::ranges::find(inputs, name, &Binding::name);
    if (Status status = checkRows(*rows, *input); !status.ok())
      return status;
    data.inputs.emplace_back(name, std::move(rows));
  }
  for (const Binding &input : inputs)
    if (std::ranges::find(data.inputs, input.name, [](const auto &one) {
          return one.first;
        }) == data.inputs.end())
      return failureOf(Code::NotFound,
                       {"input '", input.name, "' has no data: say --data ",
                        input.name, "=FILE"});
  if (data.rows() == 0)
    return failureOf(Code::InvalidArgument,
                     {"'", data.labels.path(), "' has no rows"});
  return data;
}

std::map<std::string, Ints> Data::shapes(int64_t batch) const {
  std::map<std::string, Ints> shapes;
  for (const auto &[name, rows] : inputs) {
    shapes[name] = rows->type().shape;
    shapes[name][0] = batch;
  }
  return shapes;
}

static Status checkClasses(const MappedRows &labels, int64_t classes) {
  if (isFloat(labels.type().kind))
    return failureOf(Code::InvalidArgument,
                     {"'", labels.path(), "' has elements of ",
                      std::string(name(labels.type().kind)),
                      ", and the labels of classes should be integers"});
  for (int64_t i = 0; i < labels.type().elements(); ++i)
    if (const int64_t label = labels.integer(i); label < 0 || label >= classes)
      return failureOf(
          Code::InvalidArgument,
          {"label ", std::to_string(label), " of row ",
           std::to_string(i * labels.rows() / labels.type().elements()),
           " in '", labels.path(), "' is no class: those are 0 to ",
           std::to_string(classes - 1)});
  return Status();
}

Status Data::check(const Program &program, int64_t classes) const {
  for (const Binding &input : program.inputs) {
    for (const auto &[name, rows] : inputs)
      if (name == input.name)
        if (Status status = checkRows(*rows, input); !status.ok())
          return status;
    if (input.name == training::labels)
      if (Status status = checkRows(labels, input); !status.ok())
        return status;
  }
  return classes ? checkClasses(labels, classes) : Status();
}

Status Data::gather(std::span<const int64_t> rows, std::optional<uint64_t> draw,
                    std::map<std::string, Tensor> &batch) const {
  for (const auto &[name, all] : inputs)
    // A model may not read an input.
    if (auto found = batch.find(name); found != batch.end())
      if (Status status = all->gather(rows, draw, found->second); !status.ok())
        return status;
  if (Status status = labels.gather(rows, {}, batch.at(training::labels));
      !status.ok())
    return status;
  Tensor &counts = batch.at(training::rows);
  const size_t bytes =
      size_t(counts.type().bytes()) / size_t(counts.type().elements());
  for (int64_t i = 0; i < counts.type().elements(); ++i) {
    const double count = i < int64_t(rows.size()) ? 1 : 0;
    if (bytes == sizeof(double))
      counts.elements<double>()[size_t(i)] = count;
    else
      counts.elements<float>()[size_t(i)] = float(count);
  }
  return Status();
}

/// The algorithm of Fisher and Yates. Distributions of the standard library
/// differ between libraries, so that the numbers are reduced here.
void glow::shuffle(std::span<int64_t> rows, uint64_t seed) {
  std::mt19937_64 random(seed);
  for (size_t i = rows.size(); i > 1; --i)
    std::swap(rows[i - 1], rows[size_t(random() % i)]);
}
