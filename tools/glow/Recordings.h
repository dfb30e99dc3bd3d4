//===- Recordings.h - data that a model is run on ---------------*- C++ -*-===//

#ifndef GLOW_TOOLS_GLOW_RECORDINGS_H
#define GLOW_TOOLS_GLOW_RECORDINGS_H

#include "Pictures.h"
#include "Runner.h"
#include <functional>
#include <span>

namespace glow::tool {

/// What the user says of the data of many runs.
struct RecordingOptions {
  std::vector<std::string> folders; ///< --data
  std::vector<std::string> images;  ///< --image
  std::vector<std::string> files;   ///< --input, of one run
  PictureOptions pictures;
  unsigned batch = 1; ///< --batch
};

/// Adds --data, --image, --input, --batch and what is said of pictures; `use`
/// is what it is for.
void addRecordingOptions(CLI::App &app, RecordingOptions &options,
                         const std::string &use);

/// The inputs of one run.
using Recording = std::function<Result<std::vector<NamedTensor>>()>;

/// One for each `batch` of: data sets of a folder, or else each image, `.npy`
/// and `.npz` in it, by name; each image; and that of all files. Those of a
/// batch are one behind the other along the first axis; a last one may have
/// fewer. They are read when they are called, for which `session` must live.
/// Fails with Code::NotFound if a folder has none or nothing is given.
Result<std::vector<Recording>> recordingsOf(const Session &session,
                                            const RecordingOptions &options,
                                            const ModelOptions &model);

/// Calls `use` with the inputs of each run, and shows how far it is.
Status forEachRecording(
    const std::vector<Recording> &recordings,
    const std::function<Status(std::span<const NamedTensor>)> &use);

} // namespace glow::tool

#endif // GLOW_TOOLS_GLOW_RECORDINGS_H
