//===- Recordings.h - data that a model is run on ---------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TOOLS_GLOW_DATA_RECORDINGS_H
#define GLOW_TOOLS_GLOW_DATA_RECORDINGS_H

#include "images/Pictures.h"
#include "model/Runner.h"
#include <functional>
#include <span>

namespace glow::tool {

/// The user's options for the data of many runs.
struct RecordingOptions {
  std::vector<std::string> folders; ///< --data
  std::vector<std::string> images;  ///< --image
  std::vector<std::string> files;   ///< --input, of one run
  ImageOptions pictures;
  unsigned batch = 1; ///< --batch
};

/// Adds --data, --image, --input, --batch and the flags for images. `use`
/// describes their purpose in the help.
void addRecordingOptions(CLI::App &app, RecordingOptions &options,
                         const std::string &use);

/// The inputs of one run.
using Recording = std::function<Result<std::vector<NamedTensor>>()>;

/// One recording for each `batch` of items. Items are the data sets of a
/// folder, or else each image, `.npy` and `.npz` in it, by name; each image;
/// and one item of all files. Items of a batch are concatenated along the first
/// axis; the last batch may have fewer. Calling a recording reads its files,
/// for which `session` must live. Fails with Code::NotFound if a folder has
/// none or nothing is given.
Result<std::vector<Recording>> recordingsOf(const Session &session,
                                            const RecordingOptions &options,
                                            const ModelOptions &model);

/// The shapes of inputs: those of --shape and of the model, or else those of
/// the first recording.
Result<std::map<std::string, Ints>>
shapesOf(const Session &session, const ModelOptions &model,
         const std::vector<Recording> &recordings = {});

/// Calls `use` with the inputs of each run, and shows the progress.
Status forEachRecording(
    const std::vector<Recording> &recordings,
    const std::function<Status(std::span<const NamedTensor>)> &use);

} // namespace glow::tool

#endif // GLOW_TOOLS_GLOW_DATA_RECORDINGS_H
