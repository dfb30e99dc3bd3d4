//===- ImporterTest.cpp - imports that text tests cannot show -------------===//
// SPDX-License-Identifier: MIT

#include "glow/Importer/Importer.h"
#include "glow/Graph/Dialect.h"
#include "glow/Importer/ImportContext.h"
#include "glow/Importer/ModelFile.h"
#include "mlir/IR/Diagnostics.h"
#include "gtest/gtest.h"
#include <filesystem>
#include <fstream>
#include <sys/resource.h>

using namespace glow;

namespace {

std::string varint(uint64_t value) {
  std::string bytes;
  for (; value > 127; value >>= 7)
    bytes += char(value | 128);
  return bytes + char(value);
}

/// The beginning of a field whose content has so many bytes.
std::string head(uint32_t field, uint64_t size) {
  return varint(field << 3 | 2) + varint(size);
}
std::string field(uint32_t number, const std::string &content) {
  return head(number, content.size()) + content;
}
std::string number(uint32_t number, uint64_t value) {
  return varint(number << 3) + varint(value);
}

/// A ValueInfoProto of floats; each dimension is a number or a name.
std::string value(const std::string &name,
                  const std::vector<std::string> &dimensions) {
  std::string shape;
  for (const std::string &dimension : dimensions)
    shape += field(1, dimension);
  return field(1, name) + field(2, field(1, number(1, 1) + field(2, shape)));
}

/// A model without nodes: `count` initializers, each also an output. Their
/// numbers are holes in the file, which take no place on the disk.
std::string writeWeights(const std::string &name, int count, uint64_t floats) {
  uint64_t data = floats * 4;
  auto tensorHead = [&](int i) {
    return number(1, floats) + number(2, 1) +
           field(8, "w" + std::to_string(i)) + head(9, data);
  };
  std::string outputs;
  uint64_t size = 0;
  for (int i = 0; i < count; ++i) {
    outputs += field(12, value("w" + std::to_string(i), {number(1, floats)}));
    uint64_t tensor = tensorHead(i).size() + data;
    size += head(5, tensor).size() + tensor;
  }
  std::string path = testing::TempDir() + name;
  std::ofstream file(path, std::ios::binary);
  // With this producer, a single tensor does not begin where a float may.
  file << number(1, 8) << field(2, "p") << head(7, size + outputs.size())
       << outputs;
  for (int i = 0; i < count; ++i) {
    file << head(5, tensorHead(i).size() + data) << tensorHead(i);
    file.seekp(std::streamoff(data) - 1, std::ios::cur);
    file.put(0);
  }
  return path;
}

/// The module of a file; null after one error.
mlir::OwningOpRef<mlir::ModuleOp> importFile(mlir::MLIRContext &context,
                                             const std::string &path,
                                             const ImportOptions &options) {
  Result<std::unique_ptr<ModelFile>> file = ModelFile::open(path);
  if (file)
    return importOnnx(context, **file, options);
  mlir::emitError(mlir::UnknownLoc::get(&context)) << file.status().message();
  return {};
}

std::string writeFile(const std::string &name, const std::string &bytes) {
  std::string path = testing::TempDir() + name;
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

/// Half a gigabyte in one tensor, and in a hundred.
class PeakMemory : public testing::TestWithParam<int> {};

TEST_P(PeakMemory, isAtMostThirtyPercentAboveTheWeights) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the address sanitiser takes memory of its own";
#endif
  constexpr uint64_t bytes = 500'000'000;
  std::string path = writeWeights("weights.onnx", GetParam(),
                                  bytes / 4 / uint64_t(GetParam()));
  mlir::MLIRContext context;
  EXPECT_TRUE(importFile(context, path, {}));
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  EXPECT_LE(uint64_t(usage.ru_maxrss) * 1024, bytes * 13 / 10);
  std::filesystem::remove(path);
}
INSTANTIATE_TEST_SUITE_P(Tensors, PeakMemory, testing::Values(1, 100));

TEST(Importer, refusesEveryBeginningOfAModelWithOneError) {
  std::string path = writeWeights("small.onnx", 2, 8);
  std::ifstream file(path, std::ios::binary);
  std::string whole(std::istreambuf_iterator<char>(file), {});
  for (size_t size = 0; size <= whole.size(); ++size) {
    mlir::MLIRContext context;
    int errors = 0;
    mlir::ScopedDiagnosticHandler handler(
        &context, [&](mlir::Diagnostic &) { ++errors; });
    bool read(
        importFile(context, writeFile("cut.onnx", whole.substr(0, size)), {}));
    EXPECT_EQ(read, size == whole.size());
    EXPECT_EQ(errors, read ? 0 : 1) << "for the first " << size << " bytes";
  }
}

TEST(Importer, tellsTheInterfaceWithoutShapes) {
  std::string x = value("x", {field(2, "N")}), y = value("y", {number(1, 3)});
  std::string graph = field(11, x) + field(12, y);
  Result<std::unique_ptr<ModelFile>> file = ModelFile::open(
      writeFile("interface.onnx", number(1, 8) + field(7, graph)));
  ASSERT_TRUE(file) << file.status().message();
  const ModelInterface *interface = &(*file)->interface();
  ASSERT_EQ(interface->inputs.size(), 1u);
  EXPECT_EQ(interface->inputs[0].name, "x");
  EXPECT_EQ(interface->inputs[0].kind, ElementKind::F32);
  EXPECT_EQ(interface->inputs[0].shape, Ints{-1});
  EXPECT_EQ(interface->inputs[0].dimensions, std::vector<std::string>{"N"});
  ASSERT_EQ(interface->outputs.size(), 1u);
  EXPECT_EQ(interface->outputs[0].shape, Ints{3});
}

/// The one message of a failed import, or "" for an import without errors.
std::string messageOf(const std::string &path, const ImportOptions &options) {
  mlir::MLIRContext context;
  std::string messages;
  mlir::ScopedDiagnosticHandler handler(
      &context, [&](mlir::Diagnostic &error) { messages += error.str(); });
  bool read(importFile(context, path, options));
  EXPECT_EQ(read, messages.empty());
  return messages;
}

TEST(Importer, refusesShapesThatDoNotFit) {
  // a: [N,3], b: [N,?], c: no shape at all
  std::string a = value("a", {field(2, "N"), number(1, 3)});
  std::string b = value("b", {field(2, "N"), ""});
  std::string c = field(1, "c") + field(2, field(1, number(1, 1)));
  std::string path = writeFile(
      "shapes.onnx", number(1, 8) + field(7, field(11, a) + field(11, b) +
                                                 field(11, c) + field(12, a)));
  auto message = [&](std::map<std::string, Ints> shapes) {
    return messageOf(
        path, {.shapes = std::move(shapes), .values = {}, .memoryLimit = 0});
  };
  EXPECT_EQ(message({{"b", {2, 7}}, {"c", {}}}), "");
  EXPECT_EQ(message({{"a", {2, 3}}, {"b", {4, 3}}}),
            "dimension 'N' is 2 in input 'a', but 4 in input 'b'");
  EXPECT_EQ(message({{"a", {2, 4}}}),
            "dimension 1 of input 'a' is 3 in the model, but 4 was given");
  EXPECT_EQ(message({{"a", {2, 3, 1}}}),
            "input 'a' has 2 dimensions, but the shape 2x3x1 that was given "
            "has 3");
  EXPECT_EQ(message({{"a", {-1, 3}}}),
            "dimension 0 of input 'a' was given the negative size -1");
  EXPECT_EQ(message({{"d", {2}}}),
            "no input is named 'd', for which a shape was given: the inputs "
            "are 'a', 'b', 'c'");
  EXPECT_EQ(message({{"a", {2, 3}}}),
            "dimension 1 of input 'b', [N,?], has no size: give a shape, as in "
            "b=1x1");
  EXPECT_EQ(message({{"b", {2, 7}}}),
            "input 'c' has no shape in the model: give one, as in "
            "c=1x3x224x224");
}

TEST(Importer, refusesWhatIsAboveTheLimit) {
  std::string path = writeWeights("limit.onnx", 2, 100);
  EXPECT_EQ(messageOf(path, {.shapes = {}, .values = {}, .memoryLimit = 799}),
            "the tensors of the model need 800 bytes or more, of which 'w0', "
            "f32[100], needs 400 bytes; the limit is 799 bytes: give another "
            "memory-limit");
}

TEST(Importer, keepsTheRowThatCameFirst) {
  static constexpr ImportEntry ours[] = {
      {"test", "Twice", 1, nullptr, {}, {}, 1, 1, 1}};
  static constexpr ImportEntry others[] = {
      {"test", "Twice", 1, nullptr, {}, {}, 2, 2, 1},
      {"test", "Twice", 5, nullptr, {}, {}, 2, 2, 1}};
  registerImports(ours);
  registerImports(others);
  std::vector<const ImportEntry *> found;
  for (const ImportEntry *entry : importEntries())
    if (std::string_view(entry->domain) == "test")
      found.push_back(entry);
  EXPECT_EQ(found, (std::vector<const ImportEntry *>{&ours[0], &others[1]}));
}

} // namespace
