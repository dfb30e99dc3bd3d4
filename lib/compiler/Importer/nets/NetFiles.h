//===- NetFiles.h - the files of a Caffe2 model -----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A Caffe2 model is two nets: `predict_net` computes, `init_net` makes the
// weights that it reads. Each is a protobuf message, binary or as text.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_LIB_IMPORTER_NETS_NETFILES_H
#define GLOW_LIB_IMPORTER_NETS_NETFILES_H

#include "file/MappedFile.h"
#include "glow/Importer/Net.pb.h"
#include <optional>
#include <string>
#include <vector>

namespace glow {

/// The files of a Caffe2 model; "" for a file that there is not.
struct NetPaths {
  std::string predict, init;
  std::string ports; ///< `value_info.json`: kinds and shapes of inputs

  std::vector<std::string> all() const;
};

/// The files behind the path of a model: a folder with the two nets; two paths
/// with a `+` between, the init net first; or one net, `.pb`, `.pbtxt` or
/// `.prototxt`. Beside `predict_net.pb`, `init_net.pb` is its init net. Nothing
/// if the path is of no Caffe2 model. Fails for a folder without nets.
Result<std::optional<NetPaths>> netPathsOf(const std::string &path);

/// Parses a net; the ending of `path` decides between text and binary. Fails
/// with a message that follows the file's name and has the place of the fault.
Result<std::unique_ptr<caffe2::Net>> readNet(const std::string &path,
                                             const MappedFile &file);

} // namespace glow

#endif // GLOW_LIB_IMPORTER_NETS_NETFILES_H
