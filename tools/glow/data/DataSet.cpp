//===- DataSet.cpp - recorded inputs and outputs --------------------------===//
// SPDX-License-Identifier: MIT
//
// As ONNX writes them: a folder with a file for each input and output, numbered
// in the order of the model, which may also say a name. Names count when all of
// them are the model's; else the numbers do.
//
//===----------------------------------------------------------------------===//

#include "DataSet.h"
#include "glow/Base/Counted.h"
#include "glow/TensorFiles/File.h"
#include "glow/TensorFiles/OnnxValue.h"
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <set>

using namespace glow;
using namespace glow::tool;
namespace fs = std::filesystem;

/// "set_9" before "set_10".
static bool byNumber(const std::string &a, const std::string &b) {
  return ::strverscmp(a.c_str(), b.c_str()) < 0;
}

static bool isTensorFile(const fs::path &path) {
  std::string name = path.filename().string();
  return name.ends_with(".pb") &&
         (name.starts_with("input_") || name.starts_with("output_"));
}

static bool hasTensorFile(const fs::path &folder) {
  std::error_code error;
  for (const fs::directory_entry &entry : fs::directory_iterator(folder, error))
    if (isTensorFile(entry.path()))
      return true;
  return false;
}

Result<std::vector<std::string>> tool::findDataSets(const std::string &path) {
  std::error_code error;
  std::vector<std::string> sets;
  for (const fs::directory_entry &entry : fs::directory_iterator(path, error)) {
    if (isTensorFile(entry.path()))
      return std::vector<std::string>{path};
    if (entry.path().filename().string().starts_with("test_data_set_") ||
        hasTensorFile(entry.path()))
      sets.push_back(entry.path().string());
  }
  if (error)
    return failure(Code::NotFound, "cannot open data set '", path,
                   "': ", error.message());
  if (sets.empty())
    return failure(Code::NotFound, "'", path,
                   "' has no input_0.pb or output_0.pb, and no folder with "
                   "such files");
  std::sort(sets.begin(), sets.end(), byNumber);
  return sets;
}

/// Reads `input_K.pb` when `what` is "input".
static Status readAll(const fs::path &folder, const std::string &what,
                      const std::vector<Binding> &bindings,
                      std::vector<NamedValue> &values) {
  const std::string prefix = what + "_";
  std::set<std::string> names;
  std::error_code error;
  for (const auto &entry : fs::directory_iterator(folder, error))
    if (isTensorFile(entry.path()) &&
        entry.path().filename().string().starts_with(prefix))
      names.insert(entry.path().filename().string());
  for (size_t i = 0; i < names.size(); ++i) {
    std::string name = prefix + std::to_string(i) + ".pb";
    if (!names.count(name))
      return failure(Code::NotFound, "'", folder.string(), "' has ",
                     counted(names.size(), "file"), " ", prefix,
                     "*.pb, but no ", name);
    Result<std::string> bytes = readFile((folder / name).string());
    if (!bytes)
      return bytes.status();
    OnnxForm form =
        formOf(i < bindings.size() ? bindings[i].other : std::string());
    Result<NamedValue> value = parseOnnxValue(*bytes, form);
    if (!value)
      return value.status().prefixed("'" + (folder / name).string() + "': ");
    values.push_back(value.take());
  }
  return Status();
}

Result<DataSet> tool::readDataSet(const std::string &path,
                                  const Session &session) {
  DataSet set;
  set.path = path;
  if (Status status = readAll(path, "input", session.inputs(), set.inputs);
      !status.ok())
    return status;
  if (Status status = readAll(path, "output", session.outputs(), set.outputs);
      !status.ok())
    return status;
  if (set.outputs.empty())
    return failure(Code::NotFound, "'", path, "' has no output_0.pb");
  return set;
}

Result<DataSet> tool::readInputs(const std::string &path,
                                 const Session &session) {
  DataSet set;
  set.path = path;
  Status status = readAll(path, "input", session.inputs(), set.inputs);
  if (status.ok())
    status = matchInputs(set, session);
  if (!status.ok())
    return status;
  return set;
}

static const Binding *findBinding(const std::vector<Binding> &bindings,
                                  const std::string &name) {
  auto found = std::find_if(bindings.begin(), bindings.end(),
                            [&](const Binding &b) { return b.name == name; });
  return found == bindings.end() ? nullptr : &*found;
}

/// ONNX's own data sets hold bf16 as u16, since numpy has no bf16.
static void fixKind(const Binding &binding, HostValue &value) {
  const Tensor *tensor = value.tensor();
  if (!tensor || binding.type.kind != ElementKind::BF16 ||
      tensor->type().kind != ElementKind::U16)
    return;
  if (Result<Tensor> copy = Tensor::copyOf(tensor->view())) {
    (void)copy->reinterpret(ElementKind::BF16);
    value = HostValue(copy.take());
  }
}

/// Gives the values the model's names.
static Status matchNames(const char *what, const std::vector<Binding> &bindings,
                         std::vector<NamedValue> &values) {
  if (values.size() > bindings.size())
    return failure(Code::ShapeMismatch, "the data set has ", values.size(), " ",
                   what, "s, the model has ", bindings.size());
  std::set<std::string> names;
  for (const NamedValue &value : values)
    if (findBinding(bindings, value.name))
      names.insert(value.name);
  // A set, so that one name that is given twice does not count as two.
  bool byName = names.size() == values.size();
  for (size_t i = 0; i < values.size(); ++i) {
    if (!byName)
      values[i].name = bindings[i].name;
    fixKind(*findBinding(bindings, values[i].name), values[i].value);
  }
  return Status();
}

Status tool::matchInputs(DataSet &set, const Session &session) {
  return matchNames("input", session.inputs(), set.inputs);
}

static Status compareStrings(const std::string &name, const Strings &actual,
                             const Strings &expected) {
  for (size_t i = 0; i < actual.elements.size(); ++i)
    if (actual.elements[i] != expected.elements[i])
      return failure(Code::InvalidArgument, "output '", name, "' element ", i,
                     " is '", actual.elements[i], "', expected '",
                     expected.elements[i], "'");
  return Status();
}

Status tool::compareValues(const std::string &name, const HostValue &actual,
                           const HostValue &expected,
                           const Tolerance &tolerance,
                           double &largestDifference) {
  if (actual.tensor() && expected.tensor()) {
    Result<Difference> found =
        compare(actual.tensor()->view(), expected.tensor()->view(), tolerance);
    if (found)
      largestDifference = std::max(largestDifference, found->largest);
    return verdict(name, found);
  }
  if (actual.text() != expected.text())
    return failure(Code::ShapeMismatch, "output '", name, "' is ",
                   actual.text(), ", expected ", expected.text());
  auto part = [&](const std::string &which, const HostValue &a,
                  const HostValue &b) {
    return compareValues(name + which, a, b, tolerance, largestDifference);
  };
  if (const Strings *strings = actual.strings())
    return compareStrings(name, *strings, *expected.strings());
  if (const Map *map = actual.map()) {
    Status status = part(" keys", map->keys, expected.map()->keys);
    return status.ok() ? part(" values", map->values, expected.map()->values)
                       : status;
  }
  if (const HostValue::Sequence *sequence = actual.sequence())
    for (size_t i = 0; i < sequence->size(); ++i)
      if (Status status = part("[" + std::to_string(i) + "]", (*sequence)[i],
                               (*expected.sequence())[i]);
          !status.ok())
        return status;
  return Status();
}

static Status compareOutputs(const DataSet &set,
                             const std::vector<NamedValue> &outputs,
                             const Tolerance &tolerance,
                             double &largestDifference) {
  Status first;
  for (const NamedValue &expected : set.outputs) {
    auto actual = std::find_if(
        outputs.begin(), outputs.end(),
        [&](const NamedValue &output) { return output.name == expected.name; });
    if (actual == outputs.end())
      return failure(Code::Internal, "there is no output '", expected.name,
                     "'");
    Status status = compareValues(expected.name, actual->value, expected.value,
                                  tolerance, largestDifference);
    // All are compared, for the largest difference.
    if (first.ok())
      first = std::move(status);
  }
  return first;
}

DataSetResult tool::runDataSet(Runner &runner, const Session &session,
                               DataSet set, const Tolerance &tolerance) {
  DataSetResult result;
  result.path = set.path;
  result.status = matchInputs(set, session);
  if (result.status.ok())
    result.status = matchNames("output", session.outputs(), set.outputs);
  if (result.status.ok())
    result.status = runner.run(set.inputs, result.outputs);
  if (!result.status.ok())
    return result;
  result.compared = true;
  result.milliseconds = runner.runTime;
  result.status =
      compareOutputs(set, result.outputs, tolerance, result.largestDifference);
  return result;
}
