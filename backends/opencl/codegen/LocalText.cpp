//===- LocalText.cpp - OpenCL C of products by local memory ---------------===//
// SPDX-License-Identifier: MIT

#include "StatementText.h"
#include "llvm/ADT/STLExtras.h"

using namespace glow;
using namespace glow::opencl;
using namespace glow::loops;

/// Declares the indices of rows, lanes and all others, and the sums.
void StatementText::bindLocal() {
  values.plan = &plan;
  const unsigned row = plan.row->index, lane = plan.lanes->index;
  bindItem(row, "get_global_id(0)");
  values.line("const int tile = (int)get_global_id(1) * " +
              std::to_string(plan.lanes->size) + ";");
  llvm::ArrayRef<unsigned> others = plan.items;
  others = others.drop_back(2);
  if (!others.empty())
    decode(others, "(long)get_global_id(2)");
  std::string end = values.number(program.extent(lane));
  values.line("const int lane = min(tile + (int)get_local_id(0), " + end +
              " - 1);");
  values.line("const int lanes = " + end + " - tile;");
  for (int64_t i = 0; i < plan.row->size; ++i)
    for (int64_t vector = 0; vector < 2; ++vector) {
      copies.push_back({i, vector});
      values.line("float16 " + accumulator(copies.back()) + " = 0.0f;");
    }
}

/// Declares the indices of a term from its number.
void StatementText::decodeTerm() {
  std::string rest = "term";
  for (unsigned index : llvm::reverse(plan.localTerms)) {
    const std::string name = "x" + std::to_string(index);
    const bool isLast = index == plan.localTerms.front();
    std::string extent = isLast ? "" : values.number(program.extent(index));
    values.line("const int " + name + " = " +
                (isLast ? rest : rest + " % " + extent) + ";");
    values.bind(index, name);
    if (isLast)
      return;
    std::string next = values.fresh("w");
    values.line("const int " + next + " = " + rest + " / " + extent + ";");
    rest = next;
  }
}

/// Copies the factors of lanes for the next terms to local memory: vectors, or
/// the elements of one lane.
void StatementText::emitCopies(const std::string &terms) {
  const bool isVector = plan.hasLocalVectors;
  const std::string size = std::to_string(plan.localSize);
  DevicePlan vectors = plan;
  vectors.lanes->size = 16;
  vectors.row.reset();
  values.plan = isVector ? &vectors : nullptr;
  if (isVector) {
    values.open("for (int e = get_local_id(0); e < 2 * " + size + "; e += 32)");
    values.line("const int term = k + e / 2;");
    values.line("const int lane_0 = tile + e % 2 * 16;");
    values.line("float16 factor = 0.0f;");
  } else {
    values.open("for (int s = 0; s < " + size + "; ++s)");
    values.line("const int term = k + s;");
    values.line("float factor = 0.0f;");
  }
  decodeTerm();
  values.bind(plan.lanes->index, "lane");
  values.open("if (term < " + terms + ")");
  auto isOfLanes = [&](Term guard) {
    return isVector && guard->dependsOn(plan.lanes->index);
  };
  std::vector<Term> ofLanes, others;
  for (Term guard : guards)
    (isOfLanes(guard) ? ofLanes : others).push_back(guard);
  std::string holds = values.all(others);
  values.open(holds.empty() ? "" : "if (" + holds + ")");
  values.isGuarded = true;
  values.pinsAll = true; // loads stay inside of the condition
  if (isVector) {
    std::string inside = values.all(ofLanes);
    values.line("const int16 m = lane_0 + iota16 < tile + lanes" +
                (inside.empty() ? "" : " & " + inside) + ";");
    values.open("if (all(m))");
    std::string whole = values.get(plan.laneFactor);
    values.line("factor = " + whole + ";");
    values.close();
    values.open("else if (any(m))");
    values.mask = "m";
    std::string part = values.get(plan.laneFactor);
    values.line("factor = select((float16)(0.0f), " + part + ", m);");
    values.mask.clear();
    values.close();
  } else {
    std::string value = values.get(plan.laneFactor);
    values.line("factor = " + value + ";");
  }
  values.pinsAll = false;
  values.isGuarded = false;
  values.close();
  values.close();
  values.line(isVector ? "vstore16(factor, e, factors);"
                       : "factors[s * 32 + get_local_id(0)] = factor;");
  for (unsigned index : plan.localTerms)
    values.unbind(index);
  values.unbind(plan.lanes->index);
  values.close();
  values.plan = &plan;
}

/// Multiplies the factors of rows by those in local memory.
void StatementText::emitProducts(unsigned term, Term rowFactor,
                                 const std::string &terms) {
  // Other work-items only copy.
  values.open("if (i" + std::to_string(plan.row->index) + " < " +
              values.number(program.extent(plan.row->index)) + ")");
  values.open("for (int s = 0, end = min(" + std::to_string(plan.localSize) +
              ", " + terms + " - k); s < end; ++s)");
  values.line("const int at = k + s;");
  values.bind(term, "at");
  for (int64_t vector = 0; vector < 2; ++vector)
    values.line("const float16 f" + std::to_string(vector) +
                " = vload16(s * 2 + " + std::to_string(vector) + ", factors);");
  for (Copy copy : copies)
    values.line(accumulator(copy) + " = MULTIPLY_ADD((float16)(" +
                values.get(rowFactor, copy) + "), f" +
                std::to_string(copy.vector) + ", " + accumulator(copy) + ");");
  values.unbind(term);
  values.close();
  values.close();
}

void StatementText::emitLocal() {
  bindLocal();
  // The factors of a row are in one piece, in the order of the terms.
  int64_t count = 1;
  for (unsigned index : plan.localTerms)
    count *= program.extent(index);
  Affine offset =
      affineOf(offsetOf(program, plan.rowFactor->operands,
                        program.tensors[size_t(plan.rowFactor->integer)]));
  Term term = program.addIndex(Length(count), "term");
  const int64_t step = offset.of(plan.localTerms.back());
  for (unsigned index : plan.localTerms)
    offset.setFactor(index, 0);
  offset.setFactor(unsigned(term->integer), step);
  Term rowFactor =
      program.load(unsigned(plan.rowFactor->integer), {termOf(program, offset)},
                   Outside::Never, Form::Element);
  std::string terms = values.number(count);
  values.open("for (int k = 0; k < " + terms +
              "; k += " + std::to_string(plan.localSize) + ")");
  values.line("barrier(CLK_LOCAL_MEM_FENCE);");
  emitCopies(terms);
  values.line("barrier(CLK_LOCAL_MEM_FENCE);");
  emitProducts(unsigned(term->integer), rowFactor, terms);
  values.close();
  storeLocal();
  for (unsigned index : statement().indices)
    values.unbind(index);
  values.plan = nullptr;
}

void StatementText::storeLocal() {
  const std::string row = "i" + std::to_string(plan.row->index);
  values.bind(plan.lanes->index, "tile");
  values.plan = nullptr;
  for (int64_t i = 0; i < plan.row->size; ++i) {
    const std::string at = row + "_" + std::to_string(i);
    values.open("if (" + at + " == " + row + " + " + std::to_string(i) + ")");
    values.bind(plan.row->index, at);
    std::string place = values.get(termOf(program, plan.place));
    std::string to =
        "(global float *)" + values.pointer(statement().tensor) + " + " + place;
    for (int64_t vector = 0; vector < 2; ++vector)
      values.line("store_first(" + accumulator({i, vector}) + ", " + to +
                  " + " + std::to_string(vector * 16) + ", lanes - " +
                  std::to_string(vector * 16) + ");");
    values.unbind(plan.row->index);
    values.close();
  }
}
