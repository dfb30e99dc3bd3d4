//===- HostileTest.cpp - files and sockets that others write --------------===//
// SPDX-License-Identifier: MIT

#include "Helpers.h"
#include "glow/Runtime/Devices.h"
#include "glow/Runtime/ReportSocket.h"
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <thread>
#include <unistd.h>

using namespace glow;

namespace {

const std::string devices = R"({"devices": [
  {"name": "left", "backend": "cpu", "threads": 1, "processors": "0",
   "memory": "2G", "compute": {"f32": 5e10}, "bandwidth": 1e9,
   "link": {"bandwidth": 1e9, "latency": 1e-6}},
  {"backend": "interpreter", "address": "grpc:unix:far"}]})";

class Hostile : public testing::Test {
protected:
  ~Hostile() override { std::filesystem::remove_all(folder); }

  Result<std::vector<DeviceDescription>> read(std::string_view text) {
    std::ofstream(file, std::ios::binary) << text;
    return readDevices(file);
  }

  const std::string folder =
      testing::TempDir() + "hostile." + std::to_string(::getpid());
  const std::string file = folder + "/devices.json";
  const bool isMade = std::filesystem::create_directory(folder);
};

/// Answers one connection with a text.
class Teller {
public:
  Teller(const std::string &path, std::string text) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, sizeof address.sun_path - 1);
    listener = ::socket(AF_UNIX, SOCK_STREAM, 0);
    EXPECT_EQ(::bind(listener, reinterpret_cast<sockaddr *>(&address),
                     sizeof address),
              0);
    EXPECT_EQ(::listen(listener, 1), 0);
    thread = std::thread([this, text = std::move(text)] {
      const int client = ::accept(listener, nullptr, nullptr);
      while (::send(client, text.data(), text.size(), MSG_NOSIGNAL) > 0 &&
             isEndless)
        ;
      ::close(client);
    });
  }
  ~Teller() {
    thread.join();
    ::close(listener);
  }
  static inline bool isEndless = false;

private:
  int listener;
  std::thread thread;
};

} // namespace

TEST_F(Hostile, DamagedFilesOfDevices) {
  ASSERT_TRUE(read(devices)) << read(devices).status().message();
  EXPECT_EQ(refusedBeginnings(devices, [&](auto text) { return read(text); }),
            devices.size());
  survivesDamage(devices, [&](auto text) { return read(text); });
}

// The stacks of the reader and of the printer do not overflow.
TEST_F(Hostile, DeepFilesOfDevices) {
  for (const char *open : {"[", R"({"devices":)", R"({"devices":[{"link":)"}) {
    std::string text;
    while (text.size() < (1u << 20) - 16)
      text += open;
    Result<std::vector<DeviceDescription>> deep = read(text);
    EXPECT_EQ(deep.status().code(), Code::InvalidArgument);
    EXPECT_LT(deep.status().message().size(), 400u);
  }
  const std::string levels(150000, '[');
  std::string closed = R"({"devices": )" + levels;
  closed += std::string(150000, ']') + "}";
  Result<std::vector<DeviceDescription>> deep = read(closed);
  EXPECT_EQ(deep.status().message(),
            file + ": is nested more than 16 levels deep");
}

TEST_F(Hostile, ReportsWithoutAnEnd) {
  const std::string path = folder + "/s";
  Teller::isEndless = true;
  {
    Teller teller(path, std::string(1 << 16, ' '));
    Result<std::string> report = readReport(path);
    EXPECT_EQ(report.status().code(), Code::InvalidArgument);
  }
  Teller::isEndless = false;
}
