//===- GraphRunner.h - nodes of a graph, one by one -------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_STAGES_GRAPHRUNNER_H
#define GLOW_LIB_STAGES_GRAPHRUNNER_H

#include "StageCompiler.h"
#include "glow/Session/StagedModel.h"

namespace glow {

/// Runs graphs of a model; a graph inside of a node runs in the scope of the
/// outer graph.
class GraphRunner {
public:
  GraphRunner(StagedGraph &model, StageCompiler &compiler, Host &host)
      : model(model), compiler(compiler), host(host) {}

  /// The outputs of a graph, if the inputs `names` have these values.
  Result<HostValue::Sequence> run(const ModelGraph &graph,
                                  const GraphFrame *outer,
                                  const std::vector<std::string> &names,
                                  HostValue::Sequence arguments);

  std::vector<StagedModel::Action> *actions = nullptr; ///< null: none are noted
  std::optional<uint64_t> graphsLeft; ///< that may run inside of nodes
  bool wasStopped = false;            ///< whether there were more
  int64_t maxIterations = 0;          ///< of a loop; 0: no limit

private:
  struct Frame;

  Frame frameOf(const ModelGraph &graph, const GraphFrame *outer,
                const std::vector<std::string> &names,
                HostValue::Sequence arguments) const;

  /// The types of a graph's outputs, where its first stage determines them.
  std::vector<std::optional<TensorType>> typesOf(const ModelGraph &graph,
                                                 const Frame &outer,
                                                 HostValue::Sequence arguments);
  HostBodies bodiesOf(Frame &frame, const ModelNode &node);

  Status runAll(Frame &frame);
  Status runReadyHostNodes(Frame &frame);
  Status runOnNumbers(Frame &frame, size_t index);
  Status runWaiting(Frame &frame, const CompiledStage &stage, bool &ran);
  Result<std::vector<const HostValue *>> inputsOf(const Frame &frame,
                                                  const ModelNode &node);
  Status call(Frame &frame, size_t index);
  Status runHostNode(Frame &frame, size_t index, const std::string &why);
  Status runStage(Frame &frame, const CompiledStage &stage);
  Status stuck(const Frame &frame, const CompiledStage &stage) const;

  /// Whether a name has a value in the frames or in the file.
  bool isThere(const GraphFrame &frame, const std::string &name) const;
  bool isReady(const Frame &frame, const ModelNode &node) const;
  bool mustRunOnHost(const Frame &frame, const ModelNode &node) const;
  bool holdsStrings(const GraphFrame &frame, const std::string &name) const;
  Result<const HostValue *> valueOf(const GraphFrame &frame,
                                    const std::string &name);
  Result<const HostAttributes *> attributesOf(const ModelGraph &graph,
                                              size_t node);
  void finish(Frame &frame, size_t index);
  void note(StagedModel::Action action);

  StagedGraph &model;
  StageCompiler &compiler;
  Host &host;
  std::map<std::pair<const ModelGraph *, std::string>, HostValue> initializers;
  std::map<const ModelNode *, HostAttributes> attributes;
};

} // namespace glow

#endif // GLOW_LIB_STAGES_GRAPHRUNNER_H
