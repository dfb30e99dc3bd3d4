//===- CacheTest.cpp - programs as bytes, and files of them ---------------===//

#include "Cache.h"
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <set>
#include <unistd.h>

using namespace glow;
namespace fs = std::filesystem;

namespace {

Program sampleProgram() {
  static const float data[] = {1, 2, 3};
  Program program;
  program.backend = "sample";
  program.entry = "main";
  program.inputs = {{"x", {ElementKind::F32, {2, 3}}, {"n", ""}}};
  program.outputs = {{"y", {ElementKind::I64, {}}, {}}};
  program.constants = {{"w", {ElementKind::F32, {3}}, data, nullptr}};
  program.arenaBytes = 4096;
  auto code = std::make_shared<StepCode>();
  code->buffers = {{BufferPlace::Constant, 0, 0, {ElementKind::F32, {3}}, "w"}};
  code->steps = {{"conv", "node", {0, 0}, {1, 1}, {}}};
  code->steps[0].attributes = {int64_t(-3),         true,       0.5,
                               std::string("same"), Ints{1, 2}, Reals{0.25},
                               ElementKind::BF16};
  program.code = code;
  return program;
}

std::string bytesOf(Program program) {
  ByteWriter writer;
  StepCode code = static_cast<const StepCode &>(*program.code);
  writer(program, code);
  return writer.take();
}

Result<Program> programOf(std::string_view bytes) {
  ByteReader reader(bytes);
  Program program;
  auto code = std::make_shared<StepCode>();
  reader(program, *code);
  program.code = code;
  if (!reader.ok())
    return failure(Code::InvalidArgument, "damaged");
  return program;
}

TEST(Serial, reads_what_it_wrote) {
  Program sample = sampleProgram();
  std::string bytes = bytesOf(sample);
  Result<Program> program = programOf(bytes);
  ASSERT_TRUE(program);
  EXPECT_EQ(program->inputs[0].type, (TensorType{ElementKind::F32, {2, 3}}));
  EXPECT_EQ(program->inputs[0].dimensions[0], "n");
  auto &code = static_cast<const StepCode &>(*program->code);
  auto &written = static_cast<const StepCode &>(*sample.code);
  EXPECT_EQ(code.steps[0].attributes, written.steps[0].attributes);
  EXPECT_EQ(bytesOf(*program), bytes);
}

TEST(Serial, refuses_what_was_cut) {
  std::string bytes = bytesOf(sampleProgram());
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(programOf(std::string_view(bytes).substr(0, size))) << size;
}

TEST(Serial, survives_any_byte) {
  std::string bytes = bytesOf(sampleProgram());
  for (char &byte : bytes)
    for (char other : {'\0', '\1', '\x7f', '\xff'}) {
      std::swap(byte, other);
      (void)programOf(bytes); // whatever it is, it returns
      std::swap(byte, other);
    }
  EXPECT_TRUE(programOf(bytes));
}

/// Keeps programs as they are written above.
class SampleBackend final : public Backend {
public:
  llvm::StringRef name() const override { return "sample"; }
  mlir::FailureOr<Program> compile(ir::FuncOp, std::shared_ptr<const void>,
                                   const CodeOptions &) const override {
    return sampleProgram();
  }
  std::string fingerprint(const CodeOptions &options) const override {
    return processor + options.processor;
  }
  Result<std::string> store(const Program &program) const override {
    return bytesOf(program);
  }
  Result<Program> restore(const StoredProgram &stored) const override {
    Result<Program> program = programOf(stored.description);
    if (program && !bindBlock(*program, stored.constants, stored.owner))
      return failure(Code::InvalidArgument, "damaged");
    return program;
  }
  std::string processor = "one";
};

class CacheTest : public testing::Test {
protected:
  CacheTest() { fs::remove_all(folder); }
  ~CacheTest() override { fs::remove_all(folder); }
  void age(const std::string &key, int hours) {
    fs::path path = folder + "/" + key + ".program";
    fs::last_write_time(path, fs::file_time_type::clock::now() -
                                  std::chrono::hours(hours));
  }
  const std::string folder =
      testing::TempDir() + "/glow-cache-" + std::to_string(::getpid());
  SampleBackend backend;
};

TEST_F(CacheTest, gives_back_what_it_was_given) {
  CompileCache cache(folder, 1 << 20);
  EXPECT_FALSE(cache.load("a", backend));
  cache.store("a", backend, sampleProgram());
  std::optional<Program> program = cache.load("a", backend);
  ASSERT_TRUE(program);
  EXPECT_FALSE(cache.load("b", backend));
  fs::remove_all(folder); // the program keeps the map
  auto *data = static_cast<const float *>(program->constants[0].data);
  EXPECT_EQ(data[2], 3);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(data) % 64, 0u);
}

TEST_F(CacheTest, removes_what_was_not_used) {
  CompileCache cache(folder, 10000); // two files of a page and a bit
  cache.store("a", backend, sampleProgram());
  cache.store("b", backend, sampleProgram());
  age("a", 3), age("b", 2);
  EXPECT_TRUE(cache.load("a", backend)); // now b is the older
  cache.store("c", backend, sampleProgram());
  EXPECT_TRUE(cache.load("a", backend));
  EXPECT_FALSE(cache.load("b", backend));
  EXPECT_TRUE(cache.load("c", backend));
}

TEST_F(CacheTest, keeps_nothing_that_is_too_large) {
  CompileCache cache(folder, 1000);
  cache.store("a", backend, sampleProgram());
  EXPECT_FALSE(fs::exists(folder));
}

TEST_F(CacheTest, finds_every_damage) {
  CompileCache cache(folder, 1 << 20);
  cache.store("a", backend, sampleProgram());
  std::string path = folder + "/a.program", bytes;
  {
    std::ifstream in(path, std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(in), {});
  }
  for (size_t place = 0; place < bytes.size(); place += 37) {
    std::string other = bytes;
    other[place] ^= 4;
    std::ofstream(path, std::ios::binary) << other;
    EXPECT_FALSE(cache.load("a", backend)) << place;
  }
  std::ofstream(path, std::ios::binary) << bytes;
  EXPECT_TRUE(cache.load("a", backend));
}

TEST_F(CacheTest, keys_depend_on_everything) {
  fs::create_directories(folder);
  auto file = [&](const std::string &name, const std::string &text) {
    std::ofstream(folder + "/" + name) << text;
    return folder + "/" + name;
  };
  std::string one = file("one", "1"), two = file("two", "2");
  CompileRequest request{one, "sample", {}, {}}, shaped = request;
  shaped.shapes["x"] = {2, 3};
  std::set<std::string> keys = {
      CompileCache::keyOf(request, backend, {one}),
      CompileCache::keyOf(request, backend, {two}),
      CompileCache::keyOf(request, backend, {one, two}),
      CompileCache::keyOf(shaped, backend, {one})};
  backend.processor = "two";
  keys.insert(CompileCache::keyOf(request, backend, {one}));
  EXPECT_EQ(keys.size(), 5u);
  EXPECT_EQ(CompileCache::keyOf(request, backend, {folder + "/none"}), "");
  EXPECT_EQ(CompileCache::keyOf(request, backend, {"/dev/zero"}), "");
  backend.processor = "";
  EXPECT_EQ(CompileCache::keyOf(request, backend, {one}), "");
}

} // namespace
