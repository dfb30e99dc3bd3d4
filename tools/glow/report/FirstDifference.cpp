//===- FirstDifference.cpp - the first instruction that is wrong ----------===//
// SPDX-License-Identifier: MIT
//
//-------------------===//

#include "FirstDifference.h"
#include "glow/Base/Counted.h"
#include <cstdio>

using namespace glow;
using namespace glow::tool;

namespace {

/// The results of one instruction.
struct Stage {
  std::string node, instruction;
  std::vector<Tensor> results;
};

/// Keeps what every step of a run writes.
class Recorder final : public StepObserver {
public:
  void stepDone(const StepEvent &event) override {
    Stage stage{std::string(event.node), std::string(event.instruction), {}};
    for (const TensorView &result : event.results) {
      Result<Tensor> copy = Tensor::copyOf(result);
      if (copy)
        stage.results.push_back(copy.take());
      else if (status.ok())
        status = copy.status().prefixed("results of '" + stage.node + "': ");
    }
    stages.push_back(std::move(stage));
  }

  std::vector<Stage> stages;
  Status status;
};

/// Compares every step with what was recorded, up to the first that differs.
class Comparer final : public StepObserver {
public:
  Comparer(std::vector<Stage> expected, const Tolerance &tolerance)
      : expected(std::move(expected)), tolerance(tolerance) {}

  void stepDone(const StepEvent &event) override {
    if (!status.ok())
      return;
    const Stage &stage = expected[same];
    for (size_t i = 0; i < stage.results.size() && status.ok(); ++i) {
      Result<Difference> found =
          compare(event.results[i], stage.results[i].view(), tolerance);
      status = verdict(stage.node, found)
                   .prefixed("instruction " + std::to_string(same + 1) + ", " +
                             stage.instruction + " of node '" + stage.node +
                             "', is the first that differs: ");
    }
    same += status.ok();
  }

  std::vector<Stage> expected;
  const Tolerance tolerance;
  Status status;
  size_t same = 0;
};

} // namespace

Status tool::compareStages(std::shared_ptr<Session> session,
                           const CompileRequest &request, unsigned threads,
                           std::span<const NamedTensor> inputs,
                           const Tolerance &tolerance) {
  auto run = [&](bool interpret, std::shared_ptr<StepObserver> observer) {
    CompileRequest asked = request;
    asked.code.interpret = interpret;
    Runner runner(session, asked, threads);
    std::vector<NamedTensor> outputs;
    runner.collect(std::move(observer));
    return runner.run(inputs, outputs);
  };
  auto recorder = std::make_shared<Recorder>();
  if (Status status = run(true, recorder); !status.ok())
    return status;
  if (!recorder->status.ok())
    return recorder->status;
  size_t count = recorder->stages.size();
  auto comparer =
      std::make_shared<Comparer>(std::move(recorder->stages), tolerance);
  if (Status status = run(false, comparer); !status.ok())
    return status;
  printText("%s the same, one after the other\n",
            (countedOf(comparer->same, count, "instruction") + " " +
             wordFor(count == 1 ? 1 : comparer->same, "is", "are"))
                .c_str());
  return comparer->status;
}
