//===- FrontStages.cpp - stages, where there is no compiler ---------------===//
//
// A session without a compiler never says that a model runs in stages: it goes
// on as the program that has one. So nobody opens a StagedModel.
//
//===----------------------------------------------------------------------===//

#include "glow/Stages/StagedModel.h"

using namespace glow;

struct StagedModel::State {
  MemoryBudget memory{0};
};

Result<std::unique_ptr<StagedModel>> StagedModel::open(const CompileRequest &,
                                                       Host &) {
  return Status(Code::Internal, "stages need a compiler");
}
StagedModel::StagedModel(std::unique_ptr<State> state)
    : state(std::move(state)) {}
StagedModel::~StagedModel() = default;
Status StagedModel::run(std::span<const NamedValue>,
                        std::vector<NamedValue> &) {
  return Status(Code::Internal, "stages need a compiler");
}
const MemoryBudget &StagedModel::memory() const { return state->memory; }
double StagedModel::compileTime() const { return 0; }
