//===- NetFiles.cpp - the files of a Caffe2 model -------------------------===//
// SPDX-License-Identifier: MIT

#include "NetFiles.h"
#include "NetSteps.h"
#include "file/WireFormat.h"
#include "glow/Base/MemoryFile.h"
#include "glow/Importer/ModelFile.h"
#include <array>
#include <filesystem>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/text_format.h>

using namespace glow;
namespace fs = std::filesystem;
namespace protobuf = google::protobuf;

static constexpr std::array textEndings = {".pbtxt", ".prototxt"};

static bool isText(const std::string &path) {
  return std::ranges::any_of(
      textEndings, [&](const char *ending) { return path.ends_with(ending); });
}

/// `folder/name.pb`, or the same as text; "" if there is neither.
static std::string netIn(const fs::path &folder, const std::string &name) {
  std::error_code error;
  for (const char *ending : {".pb", ".pbtxt", ".prototxt"})
    if (fs::path path = folder / (name + ending);
        fs::is_regular_file(path, error))
      return path.string();
  return "";
}

static std::string portsIn(const fs::path &folder) {
  std::error_code error;
  fs::path path = folder / "value_info.json";
  return fs::is_regular_file(path, error) ? path.string() : "";
}

static Result<std::optional<NetPaths>> inFolder(const std::string &path) {
  NetPaths nets{netIn(path, "predict_net"), netIn(path, "init_net"),
                portsIn(path)};
  if (nets.predict.empty())
    return failure(Code::NotFound, "is a folder, not a file, and has no "
                                   "predict_net.pb or predict_net.pbtxt");
  return std::optional(nets);
}

/// Whether the path is of a net. A file of ONNX begins with its version, a
/// varint. A net begins with its name or an operator, which have a length.
static bool isNet(const std::string &path) {
  if (isText(path) || path.ends_with("predict_net.pb"))
    return true;
  if (!path.ends_with(".pb") && !MemoryFile::isPath(path))
    return false;
  Result<std::shared_ptr<MappedFile>> file = MappedFile::open(path);
  if (!file || (*file)->bytes().empty())
    return false;
  const char first = (*file)->bytes()[0];
  return first == (1 << 3 | 2) || first == (2 << 3 | 2);
}

std::vector<std::string> NetPaths::all() const {
  std::vector<std::string> paths = {predict};
  for (const std::string &path : {init, ports})
    if (!path.empty())
      paths.push_back(path);
  return paths;
}

/// Splits `init_net.pb+predict_net.pb`; folders may have a `+` in their names.
static std::optional<NetPaths> twoFiles(const std::string &path) {
  std::error_code error;
  for (size_t at = path.find('+'); at != path.npos;
       at = path.find('+', at + 1)) {
    std::string init = path.substr(0, at), predict = path.substr(at + 1);
    if (fs::exists(init, error) || fs::exists(predict, error))
      return NetPaths{predict, init, portsIn(fs::path(predict).parent_path())};
  }
  return std::nullopt;
}

Result<std::optional<NetPaths>> glow::netPathsOf(const std::string &path) {
  std::error_code error;
  if (fs::is_directory(path, error))
    return inFolder(path);
  if (!fs::exists(path, error))
    return twoFiles(path);
  if (!isNet(path))
    return std::optional<NetPaths>();
  NetPaths nets{path, "", ""};
  if (MemoryFile::isPath(path))
    return std::optional(nets);
  const fs::path folder = fs::path(path).parent_path();
  if (fs::path(path).stem() == "predict_net")
    nets.init = netIn(folder, "init_net");
  nets.ports = portsIn(folder);
  return std::optional(nets);
}

bool glow::isNetPath(const std::string &path) {
  Result<std::optional<NetPaths>> nets = netPathsOf(path);
  return nets && *nets;
}

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

namespace {

/// Keeps the first error of a text.
class FirstError final : public protobuf::io::ErrorCollector {
public:
  void AddError(int line, protobuf::io::ColumnNumber column,
                const std::string &message) override {
    if (!text.empty())
      return;
    if (line >= 0)
      text = "line " + std::to_string(line + 1) + ", column " +
             std::to_string(column + 1) + ": ";
    text += message;
  }
  std::string text;
};

} // namespace

static Status readText(std::span<const char> text, caffe2::Net &net) {
  protobuf::io::ArrayInputStream stream(text.data(), int(text.size()));
  FirstError error;
  protobuf::TextFormat::Parser parser;
  parser.RecordErrorsTo(&error);
  parser.SetRecursionLimit(deepestMessage);
  if (parser.Parse(&stream, &net))
    return Status();
  return failure(Code::InvalidArgument, "not a Caffe2 net: ", error.text);
}

/// Fails if a field of the outermost message leads out of the file, and gives
/// its byte: a truncated file ends so.
static Status checkFields(std::span<const char> bytes) {
  const char *at = bytes.data(), *end = at + bytes.size();
  while (at != end) {
    const size_t place = size_t(at - bytes.data());
    uint64_t tag, length = 0;
    bool isWhole = readVarint(at, end, tag);
    if (isWhole && (tag & 7) == 0)
      isWhole = readVarint(at, end, length), length = 0;
    else if (isWhole && (tag & 7) == 2)
      isWhole = readVarint(at, end, length);
    else if (isWhole && ((tag & 7) == 5 || (tag & 7) == 1))
      length = (tag & 7) == 5 ? 4 : 8;
    else if (isWhole)
      return failure(Code::InvalidArgument,
                     "not a Caffe2 net: no field begins at byte ", place);
    if (!isWhole || length > uint64_t(end - at))
      return failure(Code::InvalidArgument,
                     "not a Caffe2 net: the file ends inside a field at byte ",
                     place);
    at += length;
  }
  return Status();
}

static Status readBinary(const MappedFile &file, caffe2::Net &net) {
  if (Status status = checkFields(file.bytes()); !status.ok())
    return status;
  protobuf::io::CodedInputStream stream(
      reinterpret_cast<const uint8_t *>(file.bytes().data()),
      int(file.bytes().size()));
  stream.SetRecursionLimit(deepestMessage);
  if (net.ParseFromCodedStream(&stream) && stream.ConsumedEntireMessage())
    return Status();
  return failure(Code::InvalidArgument,
                 "not a Caffe2 net: a message in it is damaged");
}

/// Parses the nets in operators that are a text, as old files have them.
static Status readInnerTexts(caffe2::Net &net) {
  for (int i = 0; i < net.op_size(); ++i) {
    caffe2::Operator &op = *net.mutable_op(i);
    if (!isRecurrence(op))
      continue;
    for (caffe2::Argument &argument : *op.mutable_arg()) {
      if (argument.name() != "step_net" || !argument.has_s())
        continue;
      caffe2::Net &inner = *argument.mutable_n();
      if (Status status = readText(argument.s(), inner); !status.ok())
        return status.prefixed("operator " + std::to_string(i) + ", '" +
                               op.type() + "', argument 'step_net': ");
      argument.clear_s();
    }
  }
  return Status();
}

Result<std::unique_ptr<caffe2::Net>> glow::readNet(const std::string &path,
                                                   const MappedFile &file) {
  if (file.bytes().size() >= size_t(1) << 31)
    return failure(Code::Unsupported, "has ", file.bytes().size(),
                   " bytes, but a message has less than 2^31");
  auto net = std::make_unique<caffe2::Net>();
  Status status =
      isText(path) ? readText(file.bytes(), *net) : readBinary(file, *net);
  file.dropPages();
  if (status.ok())
    status = readInnerTexts(*net);
  if (!status.ok())
    return status;
  if (net->op().empty())
    return failure(Code::InvalidArgument,
                   "not a Caffe2 net: it has no operators");
  return net;
}
