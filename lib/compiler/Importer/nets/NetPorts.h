//===- NetPorts.h - inputs of a Caffe2 net ----------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_IMPORTER_NETS_NETPORTS_H
#define GLOW_LIB_IMPORTER_NETS_NETPORTS_H

#include "NetFiles.h"
#include "file/Model.h"
#include "glow/Base/ElementKind.h"
#include "glow/Base/Ints.h"
#include <map>

namespace glow {

/// The types of the inputs of a net, which has only their names. A file
/// `value_info.json` beside it may have kinds and shapes, as
/// {"data": [1, [1, 3, 224, 224]]}, where 1 is f32. Without it, the kind is the
/// one that the record of the first reader has for its input, or else f32; the
/// shape comes with a run.
class NetPorts {
public:
  /// `path` is "" without a file. Fails with a message that follows the file's
  /// name. `model` keeps the file.
  static Result<NetPorts> read(ParsedModel &model, const std::string &path,
                               const caffe2::Net &net);

  void declare(const std::string &blob, onnx::ValueInfoProto &input) const;

  /// Brings the inputs of a graph into the order of `external_input`.
  void inOrderOf(const caffe2::Net &net, onnx::GraphProto &graph) const;

private:
  struct Port {
    int32_t type; ///< of TensorProto
    std::optional<Ints> shape;
  };
  std::map<std::string, Port> ports;
};

} // namespace glow

#endif // GLOW_LIB_IMPORTER_NETS_NETPORTS_H
