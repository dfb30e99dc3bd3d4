//===- ListOnnxOperators.cpp - what ONNX has, for a table of the build ----===//
//
// Run by the build: the operators of the installed ONNX's own domain, one
// literal a line. Programs of ours then need not load its library.
//
//===----------------------------------------------------------------------===//

#include <cstdio>
#include <onnx/defs/schema.h>
#include <set>

int main() {
  std::set<std::string> names;
  for (const onnx::OpSchema &schema : onnx::OpSchemaRegistry::get_all_schemas())
    if (schema.domain().empty() && !schema.Deprecated())
      names.insert(schema.Name());
  for (const std::string &name : names)
    std::printf("\"%s\",\n", name.c_str());
  return names.empty();
}
