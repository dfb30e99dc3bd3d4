//===- GivenPlans.cpp - plans of a file for the loops of layers -----------===//
// SPDX-License-Identifier: MIT

#include "LoopSteps.h"
#include "glow/IR/LoopsText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace glow;
using namespace glow::cpu;

using loops::PlanEntry;
using loops::Program;
using loops::Statement;

/// The text of a program without plans, by which programs are compared.
static std::string bareText(Program &program) {
  std::vector<Statement> statements = program.statements;
  for (Statement &statement : program.statements)
    statement.plan.clear();
  std::string text;
  llvm::raw_string_ostream os(text);
  loops::print(os, program, "");
  program.statements = std::move(statements);
  return text;
}

Result<std::unique_ptr<GivenPlans>> GivenPlans::read(const std::string &file) {
  if (file.empty())
    return std::unique_ptr<GivenPlans>();
  auto buffer = llvm::MemoryBuffer::getFile(file, /*IsText=*/true);
  if (!buffer)
    return failure(Code::NotFound, "cannot read plans '", file,
                   "': ", buffer.getError().message());
  Result<std::vector<loops::NamedProgram>> programs =
      ir::readLoops((*buffer)->getBuffer(), file);
  if (!programs) // a message of one line
    return Status(
        programs.status().code(),
        llvm::StringRef(programs.status().message()).split('\n').first.str());
  auto plans = std::make_unique<GivenPlans>();
  plans->file = file;
  plans->programs = programs.take();
  for (loops::NamedProgram &one : plans->programs)
    if (llvm::any_of(one.program->statements, [](const Statement &statement) {
          return !statement.plan.empty();
        }))
      plans->given.push_back(
          {one.name, bareText(*one.program), one.program->statements});
  return plans;
}

/// The plan of a statement for another with the same text.
static std::vector<PlanEntry> planFor(const Statement &to,
                                      const Statement &from) {
  std::vector<PlanEntry> plan = from.plan;
  for (PlanEntry &entry : plan)
    for (PlanEntry::Part &part : entry.parts) {
      const unsigned *place = llvm::find(from.indices, part.index);
      part.index = to.indices[size_t(place - from.indices.begin())];
    }
  return plan;
}

bool GivenPlans::give(llvm::StringRef layer, Program &program,
                      const ProgramPlan &planned) {
  std::vector<Statement> before =
      std::exchange(program.statements, planned.planned());
  std::string text = bareText(program);
  auto found = llvm::find_if(given, [&](const Given &one) {
    return one.layer == layer && one.text == text;
  });
  if (found == given.end()) {
    program.statements = std::move(before);
    return false;
  }
  found->isUsed = true;
  for (auto [to, from] : llvm::zip_equal(program.statements, found->statements))
    to.plan = planFor(to, from);
  return true;
}

void GivenPlans::refuse(llvm::StringRef layer, const std::string &wrong) {
  if (!wrong.empty() && status.ok())
    status = failure(Code::InvalidArgument, file, ": loops \"", layer.str(),
                     "\": ", wrong);
}

Status GivenPlans::check() const {
  if (!status.ok())
    return status;
  for (const Given &one : given)
    if (!one.isUsed)
      return failure(Code::InvalidArgument, file, ": loops \"", one.layer,
                     "\": no layer of the model runs by these loops; "
                     "--emit=loops writes those that do");
  return Status();
}
