//===- PartsTest.cpp - programs on several devices ------------------------===//
// SPDX-License-Identifier: MIT

#include "Helpers.h"
#include "Programs.h"
#include "backends/interpreter/device/Device.h"
#include "glow/Runtime/Host.h"
#include "glow/Runtime/PartsFile.h"
#include <cstdio>
#include <gtest/gtest.h>

using namespace glow;

static std::vector<NamedTensor> inputOf(float number) {
  std::vector<NamedTensor> inputs;
  inputs.push_back({"x", tensorOf<float>(std::vector<float>(64, number))});
  return inputs;
}

TEST(Parts, RunOneAfterTheOther) {
  Host host;
  Result<ModelId> network = host.load(addInParts("interpreter"));
  ASSERT_TRUE(network);
  std::vector<NamedTensor> outputs;
  ASSERT_TRUE(host.run(*network, inputOf(1), outputs).ok());
  EXPECT_EQ(outputs[0].tensor.elements<float>()[63], 41);
}

// A part that fails is the last, and the next run is as the first.
TEST(Parts, EndWithAFailure) {
  Host host;
  Result<ModelId> network = host.load(addInParts("interpreter"));
  ASSERT_TRUE(network);
  std::vector<NamedTensor> outputs;
  EXPECT_EQ(host.run(*network, inputOf(-1), outputs).message(),
            "node 'first': element 0 is negative");
  ASSERT_TRUE(host.run(*network, inputOf(2), outputs).ok());
  EXPECT_EQ(outputs[0].tensor.elements<float>()[0], 42);
}

// Where one backend has no device, nothing is loaded.
TEST(Parts, NeedAllDevices) {
  Host host;
  Result<ModelId> network = host.load(addInParts("unknown"));
  EXPECT_EQ(network.status().code(), Code::NotFound);
}

// A part that names its device runs there, even if there are other devices.
TEST(Parts, RunWhereTheySay) {
  Program program = addInParts("interpreter");
  auto code = std::make_shared<PartsCode>(*partsOf(program));
  code->parts[0].program.device = "right";
  code->parts[1].program.device = "right";
  program.code = code;
  Host host;
  for (const char *name : {"left", "right"})
    ASSERT_TRUE(host.openDevice("interpreter", {}, name).ok());
  Result<ModelId> network = host.load(program);
  ASSERT_TRUE(network);
  std::vector<NamedTensor> outputs;
  ASSERT_TRUE(host.run(*network, inputOf(1), outputs).ok());
  EXPECT_EQ(outputs[0].tensor.elements<float>()[63], 41);
  const HostReport report = host.report();
  EXPECT_EQ(report.devices[0].counters.runs, 0u);
  EXPECT_EQ(report.devices[1].counters.runs, 2u);
}

TEST(Parts, SayWhichDeviceIsMissing) {
  Program program = addTwice(64);
  program.device = "middle";
  Host host;
  ASSERT_TRUE(host.openDevice("interpreter", {}, "left").ok());
  const Status status = host.load(program).status();
  EXPECT_EQ(status.code(), Code::NotFound);
  EXPECT_NE(status.message().find("on 'middle' of backend 'interpreter'"),
            std::string::npos)
      << status.message();
}

// The file of a program of parts restores the program; a file for another
// schedule is refused.
TEST(Parts, AreWrittenAndRead) {
  const std::string path = ::testing::TempDir() + "/parts_test.parts";
  const Program program = addInParts("interpreter");
  ASSERT_TRUE(writeParts(path, program).ok());
  Result<Program> read = openParts(path);
  ASSERT_TRUE(read) << read.status().message();
  Host host;
  Result<ModelId> network = host.load(*read);
  ASSERT_TRUE(network);
  std::vector<NamedTensor> outputs;
  ASSERT_TRUE(host.run(*network, inputOf(1), outputs).ok());
  EXPECT_EQ(outputs[0].tensor.elements<float>()[63], 41);

  auto backwards = std::make_shared<PartsCode>(*partsOf(program));
  std::swap(backwards->parts[0], backwards->parts[1]);
  Program wrong = program;
  wrong.code = backwards;
  ASSERT_TRUE(writeParts(path, wrong).ok());
  EXPECT_EQ(openParts(path).status().message(),
            "'" + path + "': the schedule of parts is damaged");
  std::remove(path.c_str());
}

// A value that passes between parts on one device stays there, in memory of the
// device, which the next run uses again.
TEST(Parts, KeepValuesOnTheirDevice) {
  auto device = std::make_shared<InterpreterDevice>();
  Host host{HostOptions{}};
  ASSERT_TRUE(host.addDevice(device).ok());
  Result<ModelId> network = host.load(addInParts("interpreter"));
  ASSERT_TRUE(network) << network.status().message();
  const uint64_t loaded = device->freeBytes();
  for (int i = 0; i < 3; ++i) {
    std::vector<NamedTensor> outputs;
    ASSERT_TRUE(host.run(*network, inputOf(1), outputs).ok());
    EXPECT_EQ(outputs[0].tensor.elements<float>()[63], 41);
    // The run before may not have given it back yet.
    EXPECT_GE(device->freeBytes(), loaded - 2 * 64 * sizeof(float));
  }
}
