//===- Graph.cpp - the graphs of glow.h -----------------------------------===//
// SPDX-License-Identifier: MIT

#include "../Guard.h"
#include "glow/Base/NewFile.h"
#include "glow/Builder/GraphBuilder.h"

using namespace glow;
using namespace glow::capi;

struct glow_graph {
  GraphBuilder builder;
  std::optional<Infos> described; ///< by the last glow_graph_type
};

glow_status glow_graph_new(glow_graph **graph) {
  return guarded([&] {
    Status status = checkPointers({graph});
    if (status.ok())
      *graph = std::make_unique<glow_graph>().release();
    return status;
  });
}

void glow_graph_free(glow_graph *graph) { delete graph; }

static Status set(const Result<GraphBuilder::Number> &made,
                  glow_graph_value *value) {
  if (made)
    *value = *made;
  return made.status();
}

glow_status glow_graph_input(glow_graph *graph, const char *name,
                             const glow_tensor *type, glow_graph_value *value) {
  return guarded([&] {
    if (Status status = checkPointers({graph, name, type, value}); !status.ok())
      return status;
    Result<TensorType> given = typeOf(*type);
    return given ? set(graph->builder.input(name, *given), value)
                 : given.status();
  });
}

glow_status glow_graph_weight(glow_graph *graph, const char *name,
                              const glow_tensor *elements,
                              const char *initially, uint64_t seed,
                              int64_t fan_in, glow_graph_value *value) {
  return guarded([&] {
    if (Status status = checkPointers({graph, name, elements, value});
        !status.ok())
      return status;
    Result<TensorType> type = typeOf(*elements);
    if (!type)
      return type.status();
    if (initially)
      return set(graph->builder.weight(name, *type, initially, seed, fan_in),
                 value);
    if (!elements->data && type->bytes() != 0)
      return Status(Code::InvalidArgument,
                    "a weight has neither data nor an initialisation");
    return set(graph->builder.weight(
                   name, {const_cast<void *>(elements->data), &*type}),
               value);
  });
}

glow_status
glow_graph_node(glow_graph *graph, const char *kind, const char *name,
                const glow_graph_operand *operands, size_t operand_count,
                const glow_graph_attribute *attributes, size_t attribute_count,
                glow_graph_value *results, size_t capacity, size_t *count) {
  return guarded([&] {
    Status status = checkPointers({graph, kind, count});
    if (status.ok() && operand_count)
      status = checkPointers({operands});
    if (status.ok() && attribute_count)
      status = checkPointers({attributes});
    if (status.ok() && capacity)
      status = checkPointers({results});
    std::vector<GraphBuilder::Operand> values;
    for (size_t i = 0; i < operand_count && status.ok(); ++i)
      if (status = checkPointers({operands[i].name}); status.ok())
        values.push_back({operands[i].name, operands[i].value});
    std::vector<GraphBuilder::Attribute> words;
    for (size_t i = 0; i < attribute_count && status.ok(); ++i)
      if (status = checkPointers({attributes[i].name, attributes[i].value});
          status.ok())
        words.push_back({attributes[i].name, attributes[i].value});
    if (!status.ok())
      return status;
    Result<std::vector<GraphBuilder::Number>> made =
        graph->builder.node(kind, values, words, name ? name : "");
    if (!made)
      return made.status();
    *count = made->size();
    std::copy_n(made->begin(), std::min(capacity, made->size()), results);
    return Status();
  });
}

glow_status glow_graph_output(glow_graph *graph, const char *name,
                              glow_graph_value value) {
  return guarded([&] {
    Status status = checkPointers({graph, name});
    return status.ok() ? graph->builder.output(name, value) : status;
  });
}

glow_status glow_graph_type(glow_graph *graph, glow_graph_value value,
                            glow_tensor_info *info) {
  return guarded([&] {
    if (Status status = checkPointers({graph, info}); !status.ok())
      return status;
    Result<TensorType> type = graph->builder.typeOf(value);
    if (!type)
      return type.status();
    graph->described.emplace(std::vector<Binding>{{"", type.take(), {}}});
    return graph->described->at(0, info);
  });
}

glow_status glow_graph_save(const glow_graph *graph, const char *path) {
  return guarded([&] {
    if (Status status = checkPointers({graph, path}); !status.ok())
      return status;
    using Form = GraphBuilder::Form;
    const std::string_view name = path;
    if (!name.ends_with(".onnx") && !name.ends_with(".mlir") &&
        !name.ends_with(".mlirbc"))
      return failure(Code::InvalidArgument, "'", path,
                     "' should end in .onnx, .mlir or .mlirbc");
    Result<std::string> bytes =
        graph->builder.bytes(name.ends_with(".onnx")   ? Form::Onnx
                             : name.ends_with(".mlir") ? Form::Text
                                                       : Form::Bytecode);
    return bytes ? writeFile(path, *bytes) : bytes.status();
  });
}

glow_status glow_graph_model(const glow_graph *graph, glow_model **model) {
  Result<std::string> bytes = Status(Code::Internal, "");
  glow_status status = guarded([&] {
    Status status = checkPointers({graph, model});
    if (status.ok())
      bytes = graph->builder.bytes(GraphBuilder::Form::Bytecode);
    return status.ok() ? bytes.status() : status;
  });
  return status == GLOW_OK
             ? glow_model_load_memory(bytes->data(), bytes->size(), "the graph",
                                      model)
             : status;
}
