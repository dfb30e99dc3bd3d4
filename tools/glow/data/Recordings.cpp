//===- Recordings.cpp - data that a model is run on -----------------------===//
// SPDX-License-Identifier: MIT

#include "Recordings.h"
#include "DataSet.h"
#include "Inputs.h"
#include "cli/Numbers.h"
#include "glow/Session/ModelRunner.h"
#include "glow/TensorFiles/TensorFile.h"
#include <algorithm>
#include <cstring>
#include <filesystem>

using namespace glow;
using namespace glow::tool;
namespace fs = std::filesystem;

void tool::addRecordingOptions(CLI::App &app, RecordingOptions &options,
                               const std::string &use) {
  HelpGroup group(app, "Data");
  auto addList = [&](const char *flag, std::vector<std::string> &list,
                     const std::string &text, const char *type) {
    app.add_option(flag, list, text + "; again for more")
        ->type_name(type)
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  };
  addList("--data", options.folders,
          "a folder of " + use +
              ": files input_K.pb, folders with such files, or images, .npy "
              "and .npz files of a run each",
          "DIR");
  addList("--image", options.images, "an image of " + use, "FILE");
  addList("--input", options.files, "an input of one run of " + use,
          "NAME=FILE");
  addImageOptions(app, options.pictures);
  addNumber(app, "--batch", options.batch, 1u, 1000000u,
            "how many of them are one run, along the first axis of each input")
      ->type_name("N");
}

//===----------------------------------------------------------------------===//
// Batches
//===----------------------------------------------------------------------===//

/// One tensor behind the other, which all are of one type but for the first
/// axis.
static Result<Tensor> joined(const std::vector<const Tensor *> &parts,
                             const std::string &name) {
  TensorType type = parts[0]->type();
  int64_t rows = 0;
  for (const Tensor *part : parts) {
    TensorType other = part->type();
    if (other.shape.empty())
      return failure(Code::ShapeMismatch, "input '", name,
                     "' is a scalar, which makes no batch; leave out --batch");
    rows += other.shape[0];
    other.shape[0] = type.shape[0];
    if (!(other == type))
      return failure(Code::ShapeMismatch, "input '", name, "' is ",
                     parts[0]->type().text(), " and then ", part->type().text(),
                     ": those of one batch should differ in the first axis at "
                     "most");
  }
  type.shape[0] = rows;
  Result<Tensor> whole = Tensor::zeros(type);
  if (!whole)
    return whole;
  char *to = static_cast<char *>(whole->data());
  for (const Tensor *part : parts) {
    std::memcpy(to, part->data(), part->type().bytes());
    to += part->type().bytes();
  }
  return whole;
}

static Result<std::vector<NamedTensor>>
readBatch(const std::vector<Recording> &batch) {
  std::vector<std::vector<NamedTensor>> all;
  for (const Recording &one : batch) {
    Result<std::vector<NamedTensor>> inputs = one();
    if (!inputs)
      return inputs;
    all.push_back(inputs.take());
  }
  std::vector<NamedTensor> result;
  for (const NamedTensor &first : all[0]) {
    std::vector<const Tensor *> parts;
    for (const std::vector<NamedTensor> &inputs : all)
      for (const NamedTensor &input : inputs)
        if (input.name == first.name)
          parts.push_back(&input.tensor);
    Result<Tensor> tensor = joined(parts, first.name);
    if (!tensor)
      return tensor.status();
    result.push_back({first.name, tensor.take()});
  }
  return result;
}

static std::vector<Recording> inBatches(std::vector<Recording> all,
                                        unsigned size) {
  std::vector<Recording> batches;
  for (size_t i = 0; i < all.size(); i += size) {
    std::vector<Recording> batch(all.begin() + int64_t(i),
                                 all.begin() +
                                     int64_t(std::min(i + size, all.size())));
    batches.push_back([batch = std::move(batch)] { return readBatch(batch); });
  }
  return batches;
}

//===----------------------------------------------------------------------===//
// Locations of recordings
//===----------------------------------------------------------------------===//

namespace {

/// Makes one list of all that is given.
struct Collector {
  const Session &session;
  const RecordingOptions &options;
  const ModelOptions &model;
  std::vector<Recording> all;

  void addFiles(std::vector<std::string> files) {
    InputOptions asked;
    asked.files = std::move(files), asked.pictures = options.pictures;
    all.push_back([bindings = session.inputs(),
                   asked = inputsOf(model, session, std::move(asked))] {
      return makeInputs(bindings, asked);
    });
  }

  void addSet(const std::string &path) {
    all.push_back(
        [&session = session, path]() -> Result<std::vector<NamedTensor>> {
          Result<DataSet> set = readInputs(path, session);
          if (!set)
            return set.status();
          return tensorsOf(set->inputs);
        });
  }

  /// The whole list belongs to the only input, or the archive to all.
  std::string flagOf(const std::string &path) const {
    bool isAll = formatOf(path) == FileFormat::Npz;
    return session.inputs().empty() || isAll
               ? path
               : session.inputs()[0].name + "=" + path;
  }

  Status addFolder(const std::string &path);
};

} // namespace

static bool isRecording(const fs::path &path) {
  const FileFormat format = formatOf(path.string());
  return format == FileFormat::Image || format == FileFormat::Npy ||
         format == FileFormat::Npz;
}

Status Collector::addFolder(const std::string &path) {
  std::error_code error;
  std::vector<std::string> files;
  for (const fs::directory_entry &entry : fs::directory_iterator(path, error))
    if (isRecording(entry.path()))
      files.push_back(entry.path().string());
  if (error)
    return failure(Code::NotFound, "cannot open folder '", path,
                   "': ", error.message());
  // Other files in the folder of a data set are no inputs.
  Result<std::vector<std::string>> sets = findDataSets(path);
  const bool isSet = sets && *sets == std::vector{path};
  if (files.empty() && !sets)
    return failure(Code::NotFound, "folder '", path,
                   "' has no data: it should have data sets, images, .npy or "
                   ".npz files");
  std::ranges::sort(files);
  if (!isSet)
    for (const std::string &file : files)
      addFiles({flagOf(file)});
  if (isSet || files.empty())
    for (const std::string &set : *sets)
      addSet(set);
  return Status();
}

Result<std::vector<Recording>>
tool::recordingsOf(const Session &session, const RecordingOptions &options,
                   const ModelOptions &model) {
  Collector collector{session, options, model, {}};
  for (const std::string &folder : options.folders)
    if (Status status = collector.addFolder(folder); !status.ok())
      return status;
  for (const std::string &image : options.images)
    collector.addFiles({collector.flagOf(image)});
  if (!options.files.empty())
    collector.addFiles(options.files);
  if (collector.all.empty())
    return Status(Code::NotFound, "there is no data: say --data DIR, --image "
                                  "FILE or --input NAME=FILE");
  if (options.batch == 1)
    return std::move(collector.all);
  return inBatches(std::move(collector.all), options.batch);
}

Result<std::map<std::string, Ints>>
tool::shapesOf(const Session &session, const ModelOptions &model,
               const std::vector<Recording> &recordings) {
  InputShapes inputs(session.inputs());
  if (Status status = inputs.apply(model.shapes); !status.ok())
    return status;
  std::map<std::string, Ints> shapes = inputs.known();
  if (recordings.empty() || shapes.size() == session.inputs().size())
    return shapes;
  Result<std::vector<NamedTensor>> first = recordings.front()();
  if (!first)
    return first.status();
  for (const NamedTensor &input : *first)
    shapes.try_emplace(input.name, input.tensor.type().shape);
  return shapes;
}

Status tool::forEachRecording(
    const std::vector<Recording> &recordings,
    const std::function<Status(std::span<const NamedTensor>)> &use) {
  for (size_t i = 0; i < recordings.size(); ++i) {
    showProgress("run " + std::to_string(i + 1) + " of " +
                 std::to_string(recordings.size()));
    Result<std::vector<NamedTensor>> inputs = recordings[i]();
    Status status = inputs ? use(*inputs) : inputs.status();
    showProgress("");
    if (!status.ok())
      return status;
  }
  return Status();
}
