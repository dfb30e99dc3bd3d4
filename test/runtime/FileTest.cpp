//===- FileTest.cpp - files, read whole and written whole -----------------===//
// SPDX-License-Identifier: MIT

#include "glow/TensorFiles/File.h"
#include "Helpers.h"
#include "glow/Base/InputFile.h"
#include "glow/Base/NewFile.h"
#include "glow/TensorFiles/Numpy.h"
#include "glow/TensorFiles/TensorFile.h"
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace glow;
namespace fs = std::filesystem;

namespace {

/// A folder of its own for each test.
class FileTest : public testing::Test {
protected:
  void SetUp() override {
    std::string pattern =
        (fs::temp_directory_path() / "glow-test-XXXXXX").string();
    ASSERT_TRUE(::mkdtemp(pattern.data()));
    folder = pattern;
  }
  void TearDown() override { fs::remove_all(folder); }

  std::string path(const std::string &name) const {
    return (folder / name).string();
  }
  size_t filesInFolder() const {
    return size_t(std::distance(fs::directory_iterator(folder), {}));
  }

  fs::path folder;
};

} // namespace

TEST_F(FileTest, ReadsWhatItWrote) {
  std::string bytes(3 << 20, 'x');
  ASSERT_TRUE(writeFile(path("a"), bytes).ok());
  ASSERT_TRUE(writeFile(path("a"), bytes + "y").ok());
  Result<std::string> read = readFile(path("a"));
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, bytes + "y");
  EXPECT_EQ(filesInFolder(), 1u);
}

TEST_F(FileTest, SaysWhatIsWrong) {
  EXPECT_EQ(readFile(path("none")).status().message(),
            "cannot open '" + path("none") + "': No such file or directory");
  EXPECT_EQ(readFile(folder.string()).status().message(),
            "'" + folder.string() + "' is a folder, it should be a file");
  ASSERT_TRUE(writeFile(path("a"), "12345").ok());
  EXPECT_EQ(readFile(path("a"), 4).status().message(),
            "'" + path("a") + "' is longer than 4 bytes");
  EXPECT_FALSE(writeFile(path("none/a"), "").ok());
  EXPECT_FALSE(writeFile(folder.string(), "").ok());
}

// To open a pipe waits for a writer, and a device may have no end.
TEST_F(FileTest, ReadsRegularFilesOnly) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  for (std::string file : {path("pipe"), std::string("/dev/zero")}) {
    Status status = readFile(file).status();
    EXPECT_EQ(status.code(), Code::InvalidArgument);
    EXPECT_EQ(status.message(),
              "'" + file + "' is a device or pipe, it should be a file");
  }
}

TEST_F(FileTest, WritesPipesInPlace) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  int reader = ::open(path("pipe").c_str(), O_RDONLY | O_NONBLOCK);
  EXPECT_TRUE(writeFile(path("pipe"), "through").ok());
  char bytes[8] = {};
  EXPECT_EQ(::read(reader, bytes, 8), 7);
  EXPECT_EQ(bytes, std::string("through"));
  ::close(reader);
}

// A user that may change a file may also cut it while its pages are read.
TEST_F(FileTest, KnowsWhatIsOursAlone) {
  ASSERT_TRUE(writeFile(path("a"), "1").ok());
  auto isOurs = [&] {
    return isOursAlone(InputFile::open(path("a"))->about());
  };
  for (auto [mode, expected] :
       {std::pair(0644, true), {0664, false}, {0646, false}, {0600, true}}) {
    ASSERT_EQ(::chmod(path("a").c_str(), mode_t(mode)), 0);
    EXPECT_EQ(isOurs(), expected) << mode;
  }
  if (::getuid() != 0) // only root can give a file away
    return;
  ASSERT_EQ(::chown(path("a").c_str(), 65534, 65534), 0);
  EXPECT_FALSE(isOurs());
}

TEST_F(FileTest, KeepsPermissions) {
  ASSERT_TRUE(writeFile(path("a"), "1").ok());
  fs::permissions(path("a"), fs::perms::owner_read | fs::perms::owner_write);
  ASSERT_TRUE(writeFile(path("a"), "2").ok());
  EXPECT_EQ(fs::status(path("a")).permissions(),
            fs::perms::owner_read | fs::perms::owner_write);
}

// The handler must still end the process by the signal, for its parent.
TEST_F(FileTest, SignalsStillEndTheProcess) {
  pid_t child = ::fork();
  if (child == 0) {
    removeTemporariesOnSignals();
    ::raise(SIGTERM);
    ::_exit(0);
  }
  int state;
  ::waitpid(child, &state, 0);
  ASSERT_TRUE(WIFSIGNALED(state));
  EXPECT_EQ(WTERMSIG(state), SIGTERM);
}

TEST_F(FileTest, FilesInTheMakingAreNotLeft) {
  pid_t child = ::fork();
  if (child == 0) {
    removeTemporariesOnSignals();
    NewFile file(path("a"));
    file.write("1");
    if (fs::is_empty(folder))
      ::_exit(1);
    ::raise(SIGTERM);
  }
  int state;
  ::waitpid(child, &state, 0);
  EXPECT_TRUE(WIFSIGNALED(state));
  EXPECT_TRUE(fs::is_empty(folder));
  {
    NewFile file(path("a"));
    file.write("1");
  }
  EXPECT_TRUE(fs::is_empty(folder));
}

// The system has no pages for the missing part of a truncated file.
TEST_F(FileTest, ACutFileEndsTheCommandWithAMessage) {
  ASSERT_TRUE(writeFile(path("a"), "1").ok());
  auto readCutFile = [&] {
    removeTemporariesOnSignals();
    NewFile made(path("b"));
    int file = ::open(path("a").c_str(), O_RDWR);
    void *page = ::mmap(nullptr, 1, PROT_READ, MAP_PRIVATE, file, 0);
    if (::ftruncate(file, 0) != 0)
      ::_exit(2);
    ::_exit(*static_cast<volatile char *>(page));
  };
  EXPECT_EXIT(readCutFile(), testing::ExitedWithCode(1),
              "glow: error: a file that is read was cut meanwhile");
  EXPECT_EQ(filesInFolder(), 1u);
}

// The limit of a shell, not of the disk.
TEST_F(FileTest, AFileMayGrowPastTheLimit) {
  auto writeLong = [&] {
    removeTemporariesOnSignals();
    struct rlimit limit = {10, 10};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    Status status = writeFile(path("a"), "12345678901");
    ::_exit(status.message().ends_with("File too large") ? 0 : 1);
  };
  EXPECT_EXIT(writeLong(), testing::ExitedWithCode(0), "");
  EXPECT_EQ(filesInFolder(), 0u);
}

TEST_F(FileTest, PartsMayBeReplaced) {
  NewFile file(path("a"));
  file.write("0123");
  file.replace(1, "ab");
  file.write("4");
  ASSERT_TRUE(file.finish(0600).ok());
  EXPECT_EQ(*readFile(path("a")), "0ab34");
}

TEST_F(FileTest, FormatIsTheEnding) {
  EXPECT_EQ(formatOf("a.npy"), FileFormat::Npy);
  EXPECT_EQ(formatOf("a.b.NPZ"), FileFormat::Npz);
  EXPECT_EQ(formatOf("a.JPeG"), FileFormat::Image);
  EXPECT_EQ(formatOf("a.pb"), FileFormat::OnnxTensor);
  EXPECT_EQ(formatOf("npy"), FileFormat::Raw);
}

TEST_F(FileTest, RawFilesNeedTheirSize) {
  ASSERT_TRUE(writeFile(path("a.bin"), "12345678").ok());
  TensorType two{ElementKind::F32, {2}};
  EXPECT_TRUE(readTensor(path("a.bin"), two, "x"));
  EXPECT_EQ(readTensor(path("a.bin"), {ElementKind::F32, {3}}, "x")
                .status()
                .message(),
            "'" + path("a.bin") + "': it has 8 bytes, but f32[3] has 12");
  EXPECT_EQ(
      readTensor(path("a.bin"), {ElementKind::F32, {-1}}, "x").status().code(),
      Code::InvalidArgument);
}
