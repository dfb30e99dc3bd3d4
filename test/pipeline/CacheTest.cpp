//===- CacheTest.cpp - programs as bytes, and files of them ---------------===//
// SPDX-License-Identifier: MIT

#include "glow/Cache/Cache.h"
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

Result<Program> restore(const StoredProgram &stored) {
  Result<Program> program = programOf(stored.description);
  if (program && !bindBlock(*program, stored))
    return failure(Code::InvalidArgument, "damaged");
  return program;
}

void store(CompileCache &cache, const std::string &key) {
  Program program = sampleProgram();
  cache.store(key, program, bytesOf(program), "/models/" + key + ".onnx");
}

class CacheTest : public testing::Test {
protected:
  CacheTest() { fs::remove_all(folder); }
  ~CacheTest() override { fs::remove_all(folder); }
  void age(const std::string &key, int hours) {
    fs::path path = folder + "/" + key + ".program";
    fs::last_write_time(path, fs::file_time_type::clock::now() -
                                  std::chrono::hours(hours));
  }
  std::string file(const std::string &name, const std::string &text) {
    std::ofstream(folder + "/" + name) << text;
    return folder + "/" + name;
  }
  const std::string folder =
      testing::TempDir() + "/glow-cache-" + std::to_string(::getpid());
};

TEST_F(CacheTest, gives_back_what_it_was_given) {
  CompileCache cache(folder, 1 << 20);
  EXPECT_FALSE(cache.load("a", restore));
  store(cache, "a");
  std::optional<Program> program = cache.load("a", restore);
  ASSERT_TRUE(program);
  EXPECT_FALSE(cache.load("b", restore));
  fs::remove_all(folder); // the program keeps the map
  auto *data = static_cast<const float *>(program->constants[0].data);
  EXPECT_EQ(data[2], 3);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(data) % 64, 0u);
}

TEST_F(CacheTest, lists_and_clears) {
  CompileCache cache(folder, 1 << 20);
  ASSERT_TRUE(cache.list());
  EXPECT_TRUE(cache.list()->empty());
  EXPECT_FALSE(fs::exists(folder));
  store(cache, "a"), store(cache, "b");
  age("a", 1), age("b", 2);
  file("of.numbers", "1"), file("other", "1");
  auto programs = cache.list().take();
  ASSERT_EQ(programs.size(), 2u);
  EXPECT_EQ(programs[0].file, "a.program");
  EXPECT_EQ(programs[0].model, "/models/a.onnx");
  EXPECT_EQ(programs[0].backend, "sample");
  EXPECT_GT(programs[0].lastUse, programs[1].lastUse);
  EXPECT_EQ(cache.clear(/*all=*/false).take(),
            programs[0].bytes + programs[1].bytes);
  EXPECT_TRUE(fs::exists(folder + "/of.numbers"));
  EXPECT_EQ(cache.clear(/*all=*/true).take(), 1u);
  EXPECT_TRUE(fs::exists(folder + "/other"));
}

TEST_F(CacheTest, removes_what_was_not_used) {
  CompileCache cache(folder, 10000); // two files of a page and a bit
  store(cache, "a");
  store(cache, "b");
  age("a", 3), age("b", 2);
  EXPECT_TRUE(cache.load("a", restore)); // now b is the older
  store(cache, "c");
  EXPECT_TRUE(cache.load("a", restore));
  EXPECT_FALSE(cache.load("b", restore));
  EXPECT_TRUE(cache.load("c", restore));
}

// A file too large for the cache beside recent files does not evict older ones.
TEST_F(CacheTest, a_large_file_costs_no_small_ones) {
  for (const char *key : {"a", "b", "c"}) {
    CompileCache roomy(folder, 1 << 20);
    store(roomy, key);
  }
  file("large.program", std::string(60000, 'x'));
  age("a", 4), age("b", 3), age("large", 2), age("c", 1);
  CompileCache cache(folder, 30000);
  store(cache, "d");
  EXPECT_FALSE(fs::exists(folder + "/large.program"));
  for (const char *key : {"a", "b", "c", "d"})
    EXPECT_TRUE(cache.load(key, restore)) << key;
}

// Programs of a model for several sizes have the same weights.
class WeightsTest : public CacheTest {
protected:
  WeightsTest() {
    storeLarge("a"), storeLarge("b");
    for (const auto &entry : fs::directory_iterator(folder))
      if (entry.path().extension() == ".weights")
        weights.push_back(entry.path());
  }
  void storeLarge(const char *key) {
    Program program = sampleProgram();
    program.constants.push_back({"large",
                                 {ElementKind::I8, {int64_t(large.size())}},
                                 large.data(),
                                 nullptr});
    cache.store(key, program, bytesOf(program), "model.onnx");
  }
  static std::string_view bytesIn(const Program &program) {
    const Constant &constant = program.constants[1];
    return {static_cast<const char *>(constant.data), constant.type.bytes()};
  }
  const std::string large = std::string(largeConstant, 'w');
  CompileCache cache{folder, 1 << 20};
  std::vector<fs::path> weights;
};

TEST_F(WeightsTest, are_kept_once) {
  ASSERT_EQ(weights.size(), 1u);
  const uint64_t both = cache.bytesOnDisk();
  EXPECT_LT(both, 2 * largeConstant);
  for (const CompileCache::Kept &program : cache.list().take())
    EXPECT_GT(program.bytes, largeConstant) << program.file;
  std::optional<Program> one = cache.load("a", restore),
                         other = cache.load("b", restore);
  ASSERT_TRUE(one && other);
  EXPECT_EQ(bytesIn(*one), large);
  EXPECT_EQ(bytesIn(*one).data(), bytesIn(*other).data());
  EXPECT_EQ(static_cast<const float *>(other->constants[0].data)[2], 3);
  one.reset();
  EXPECT_EQ(cache.clear(/*all=*/false).take(), both);
  EXPECT_TRUE(fs::is_empty(folder));
  EXPECT_EQ(bytesIn(*other), large) << "the program keeps the map";
}

TEST_F(WeightsTest, are_written_again_after_damage) {
  for (uint64_t place : {uint64_t(9), largeConstant}) {
    std::fstream(weights[0], std::ios::in | std::ios::out | std::ios::binary)
        .seekp(std::streamoff(place))
        .put('!');
    EXPECT_FALSE(cache.load("a", restore)) << place;
    storeLarge("a");
    EXPECT_TRUE(cache.load("a", restore)) << place;
  }
  fs::remove(weights[0]);
  EXPECT_FALSE(cache.load("b", restore));
}

TEST_F(WeightsTest, go_when_they_are_not_used) {
  CompileCache small(folder, 20000);
  fs::last_write_time(weights[0],
                      fs::file_time_type::clock::now() - std::chrono::hours(1));
  store(small, "c");
  EXPECT_FALSE(fs::exists(weights[0]));
  EXPECT_FALSE(small.load("a", restore));
  EXPECT_TRUE(small.load("c", restore));
}

// Else the program of one model would run as that of another.
TEST_F(CacheTest, takes_no_file_of_another_name) {
  CompileCache cache(folder, 1 << 20);
  store(cache, "a");
  fs::copy_file(folder + "/a.program", folder + "/b.program");
  EXPECT_FALSE(cache.load("b", restore));
  fs::rename(folder + "/a.program", folder + "/c.program");
  EXPECT_FALSE(cache.load("c", restore));
  fs::rename(folder + "/c.program", folder + "/a.program");
  EXPECT_TRUE(cache.load("a", restore));
  EXPECT_TRUE(fs::exists(folder + "/b.program")) << "it goes when it is old";
}

// A file that another user may write would run with this user's rights.
TEST_F(CacheTest, takes_nothing_that_another_user_may_write) {
  CompileCache cache(folder, 1 << 20);
  store(cache, "a");
  cache.write("model", {});
  std::vector<fs::path> all = {folder};
  for (const auto &entry : fs::directory_iterator(folder))
    all.push_back(entry.path());
  ASSERT_EQ(all.size(), 3u);
  auto isTaken = [&] {
    return std::pair(bool(cache.load("a", restore)), bool(cache.note("model")));
  };
  for (const fs::path &path : all) {
    bool isProgram = path.extension() == ".program";
    std::pair expected(path != folder && !isProgram,
                       path != folder && isProgram);
    fs::perms before = fs::status(path).permissions();
    for (fs::perms bit : {fs::perms::group_write, fs::perms::others_write}) {
      fs::permissions(path, before | bit);
      EXPECT_EQ(isTaken(), expected) << path;
    }
    fs::permissions(path, before);
    if (::getuid() == 0) { // only root can give a file away
      ASSERT_EQ(::chown(path.c_str(), 65534, 65534), 0);
      EXPECT_EQ(isTaken(), expected) << path;
      ASSERT_EQ(::chown(path.c_str(), 0, 0), 0);
    }
    EXPECT_EQ(isTaken(), std::pair(true, true));
  }
}

TEST_F(CacheTest, keeps_nothing_where_another_user_may_write) {
  fs::create_directories(folder);
  fs::permissions(folder, fs::perms::all);
  CompileCache cache(folder, 1 << 20);
  store(cache, "a");
  cache.write("model", {});
  EXPECT_TRUE(fs::is_empty(folder));
}

TEST_F(CacheTest, keeps_nothing_that_is_too_large) {
  CompileCache cache(folder, 1000);
  store(cache, "a");
  EXPECT_FALSE(fs::exists(folder));
}

TEST_F(CacheTest, finds_every_damage) {
  CompileCache cache(folder, 1 << 20);
  store(cache, "a");
  std::string path = folder + "/a.program", bytes;
  {
    std::ifstream in(path, std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(in), {});
  }
  for (size_t place = 0; place < bytes.size(); place += 37) {
    std::string other = bytes;
    other[place] ^= 4;
    std::ofstream(path, std::ios::binary) << other;
    EXPECT_FALSE(cache.load("a", restore)) << place;
  }
  std::ofstream(path, std::ios::binary) << bytes;
  EXPECT_TRUE(cache.load("a", restore));
}

TEST_F(CacheTest, keys_depend_on_everything) {
  Origin origin{"cpu", "one", "build", "model"};
  CompileRequest request{"m", "cpu", {}, {}}, shaped = request;
  shaped.shapes["x"] = {2, 3};
  CompileRequest strict = request, small = request;
  strict.code.math = Math::Strict;
  small.code.memoryLimit = 1 << 20;
  std::set<std::string> keys;
  for (const CompileRequest &asked : {request, shaped, strict, small})
    keys.insert(CompileCache::keyOf(asked, origin));
  for (std::string Origin::*part :
       {&Origin::backend, &Origin::processor, &Origin::build, &Origin::model}) {
    Origin other = origin;
    other.*part += "2";
    keys.insert(CompileCache::keyOf(request, other));
  }
  EXPECT_EQ(keys.size(), 8u);
}

TEST_F(CacheTest, hashes_files_that_have_an_end) {
  fs::create_directories(folder);
  std::string one = file("one", "1"), two = file("two", "2");
  std::set<std::string> hashes = {hashesOf({one}), hashesOf({two}),
                                  hashesOf({one, two})};
  EXPECT_EQ(hashes.size(), 3u);
  EXPECT_EQ(hashesOf({folder + "/none"}), "");
  EXPECT_EQ(hashesOf({"/dev/zero"}), "");
}

TEST_F(CacheTest, notes_hold_while_files_stay) {
  fs::create_directories(folder);
  std::string model = file("model", "1"), tool = file("tool", "2");
  CompileCache cache(folder);
  EXPECT_FALSE(cache.note(model));
  ModelNote note{{*FileState::of(model)}, {*FileState::of(tool)},
                 machineText(),           {"cpu", "one", "build", "hash"},
                 sampleProgram().inputs,  sampleProgram().outputs};
  cache.write(model, note);
  std::optional<ModelNote> read = cache.note(model);
  ASSERT_TRUE(read);
  EXPECT_TRUE(read->isTrue());
  EXPECT_EQ(read->origin.model, "hash");
  EXPECT_EQ(read->inputs[0].dimensions[0], "n");
  EXPECT_FALSE(read->model[0].isSettled()); // it was written just now
  for (const std::string &path : {model, tool}) {
    fs::rename(path, path + ".old");
    EXPECT_FALSE(read->isTrue());
    std::ofstream(path) << "3"; // of the same size
    EXPECT_FALSE(read->isTrue());
    fs::rename(path + ".old", path);
    // The system says when a file got its name.
    for (FileState &state : path == model ? read->model : read->compiler)
      state = *FileState::of(path);
    EXPECT_TRUE(read->isTrue());
  }
  read->machine = "another";
  EXPECT_FALSE(read->isTrue());
}

TEST(Hash, tells_bytes_apart) {
  std::set<std::string> hashes;
  std::string bytes(200, 'x');
  for (size_t size = 0; size < bytes.size(); ++size)
    hashes.insert(Hash::of(std::string_view(bytes).substr(0, size)).text());
  for (char &byte : bytes)
    for (int bit = 0; bit < 8; ++bit) {
      byte ^= char(1 << bit);
      hashes.insert(Hash::of(bytes).text());
      byte ^= char(1 << bit);
    }
  EXPECT_EQ(hashes.size(), 200u + 200 * 8);
}

TEST(Hash, does_not_see_parts) {
  std::string bytes(3 << 20, 'x');
  HashOfParts whole, parts;
  whole.add(bytes);
  for (size_t at = 0; at < bytes.size(); at += 77777)
    parts.add(std::string_view(bytes).substr(at, 77777));
  EXPECT_EQ(whole.finish(), parts.finish());
}

} // namespace
