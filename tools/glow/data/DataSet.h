//===- DataSet.h - recorded inputs and outputs ------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TOOLS_GLOW_DATA_DATASET_H
#define GLOW_TOOLS_GLOW_DATA_DATASET_H

#include "glow/Runtime/Compare.h"
#include "model/Runner.h"
#include <string>
#include <vector>

namespace glow::tool {

/// The values in a folder, `input_K.pb` and `output_K.pb`, by K.
struct DataSet {
  std::string path;
  std::vector<NamedValue> inputs, outputs;
};

/// The result of a run on a data set.
struct DataSetResult {
  std::string path;
  Status status;         ///< Ok when every output is what was recorded
  bool compared = false; ///< false when it could not run
  double largestDifference = 0;
  double milliseconds = 0; ///< the time of the run alone
  std::vector<NamedValue> outputs;
};

/// The folders of data sets at `path`. If `path` has files `input_K.pb` or
/// `output_K.pb`, it is the only one. Else its folders with such files, or with
/// names `test_data_set_*`, by name, numbers in their order. Fails with
/// Code::NotFound.
Result<std::vector<std::string>> findDataSets(const std::string &path);

/// Reads a data set of a model. Fails as parseOnnxValue does, or with
/// Code::NotFound if it has no outputs or one in between is missing.
Result<DataSet> readDataSet(const std::string &path, const Session &session);

/// The inputs alone, by the model's names.
Result<DataSet> readInputs(const std::string &path, const Session &session);

/// Gives the inputs the model's names, as `runDataSet` does.
Status matchInputs(DataSet &set, const Session &session);

/// Whether two values are the same: what sequences and maps hold, element by
/// element, numbers within the tolerance. `largestDifference` grows to that of
/// numbers.
Status compareValues(const std::string &name, const HostValue &actual,
                     const HostValue &expected, const Tolerance &tolerance,
                     double &largestDifference);

/// Runs the model on a data set and compares. Values are matched to the
/// model's by name, if all names are the model's, and by place otherwise.
DataSetResult runDataSet(Runner &runner, const Session &session, DataSet set,
                         const Tolerance &tolerance);

} // namespace glow::tool

#endif // GLOW_TOOLS_GLOW_DATA_DATASET_H
