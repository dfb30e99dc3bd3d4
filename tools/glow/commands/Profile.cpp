//===- Profile.cpp - glow profile: ranges of values -----------------------===//
// SPDX-License-Identifier: MIT

#include "cli/Help.h"
#include "data/Recordings.h"
#include "glow/Base/Counted.h"
#include "glow/Quantizer/Profiler.h"
#include "glow/TensorFiles/File.h"
#include <cstdio>

using namespace glow;
using namespace glow::tool;

namespace {

struct ProfileOptions {
  ModelOptions model;
  RecordingOptions data;
  std::vector<std::string> merged;
  std::string output;
  bool lowered = false, whole = false;
};

} // namespace

static Result<Profile> readProfile(const std::string &path) {
  Result<std::string> text = readFile(path);
  if (!text)
    return text.status();
  Result<Profile> profile = Profile::parse(*text);
  return profile ? profile : profile.status().prefixed("'" + path + "': ");
}

static Result<Profile> mergeAll(const std::vector<std::string> &files) {
  Result<Profile> all = readProfile(files[0]);
  for (size_t i = 1; all && i < files.size(); ++i) {
    Result<Profile> next = readProfile(files[i]);
    Status status = next ? all->merge(*next).prefixed("'" + files[i] + "': ")
                         : next.status();
    if (!status.ok())
      return status;
  }
  return all;
}

static Result<Profile> runAll(const ProfileOptions &options) {
  if (options.model.model.empty())
    return Status(Code::InvalidArgument,
                  "there is no model; say MODEL or --merge");
  Result<std::shared_ptr<Session>> session = openModel(options.model);
  if (!session)
    return session.status();
  Result<std::vector<Recording>> recordings =
      recordingsOf(**session, options.data, options.model);
  if (!recordings)
    return recordings.status();
  auto shapes = shapesOf(**session, options.model, *recordings);
  if (!shapes)
    return shapes.status();
  Result<std::unique_ptr<Profiler>> profiler = Profiler::open(
      options.model.model, options.lowered ? Counted::Steps : Counted::Values,
      {options.model.sessions, requestOf(options.model), options.model.threads,
       shapes.take()});
  if (!profiler)
    return profiler.status();
  Status status =
      forEachRecording(*recordings, [&](std::span<const NamedTensor> inputs) {
        return (*profiler)->add(inputs);
      });
  if (!status.ok())
    return status;
  return (*profiler)->profile();
}

static Status profile(const ProfileOptions &options) {
  std::vector<std::string> inputs = options.merged;
  inputs.push_back(options.model.model);
  if (Status status = checkOutputs({options.output}, inputs); !status.ok())
    return status;
  Result<Profile> profile =
      options.merged.empty() ? runAll(options) : mergeAll(options.merged);
  if (!profile)
    return profile.status();
  if (Status status = writeFile(options.output, profile->text()); !status.ok())
    return status;
  std::printf("%s of %s: %s\n",
              counted(profile->values.size(), "value").c_str(),
              counted(profile->runs, "run").c_str(), options.output.c_str());
  return Status();
}

Subcommand tool::addProfile(CLI::App &glow, SessionFactory &sessions) {
  CLI::App *app = glow.add_subcommand(
      "profile", "run a model on data, and write what its values are like");
  addExamples(*app, {"glow profile model.onnx --data=folder -o profile.json",
                     "glow profile --merge one.json two.json -o profile.json"});
  auto options = std::make_shared<ProfileOptions>();
  addModelOptions(*app, options->model, sessions, modelFiles);
  app->get_option("MODEL")->required(false);
  addThreadsOption(*app, options->model.threads);
  addRecordingOptions(*app, options->data, "data to calibrate with");
  app->add_option("--merge", options->merged,
                  "profiles of one model that become one, in place of runs")
      ->type_name("FILE...")
      ->excludes("MODEL");
  CLI::Option *lowered = app->add_flag(
      "--after-lowering", options->lowered,
      "count what each instruction gives, in place of the model's values");
  app->add_flag("--before-lowering", options->whole,
                "count the model's values, as is the default")
      ->excludes(lowered);
  app->add_option("-o,--output", options->output, "the profile, as JSON")
      ->type_name("FILE")
      ->required();
  return {app, [options] {
            Status status = profile(*options);
            return status.ok() ? 0 : fail(status);
          }};
}
