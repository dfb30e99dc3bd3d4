//===- PartsTest.cpp - programs of which devices run parts ----------------===//

#include "Helpers.h"
#include "Programs.h"
#include "glow/Runtime/Host.h"
#include <gtest/gtest.h>

using namespace glow;

static std::vector<NamedTensor> inputOf(float number) {
  std::vector<NamedTensor> inputs;
  inputs.push_back({"x", tensorOf<float>(std::vector<float>(64, number))});
  return inputs;
}

TEST(Parts, RunOneAfterTheOther) {
  Host host;
  Result<NetworkId> network = host.load(addInParts("interpreter"));
  ASSERT_TRUE(network);
  std::vector<NamedTensor> outputs;
  ASSERT_TRUE(host.run(*network, inputOf(1), outputs).ok());
  EXPECT_EQ(outputs[0].tensor.elements<float>()[63], 41);
}

// A part that fails is the last, and the next run is as the first.
TEST(Parts, EndWithAFailure) {
  Host host;
  Result<NetworkId> network = host.load(addInParts("interpreter"));
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
  Result<NetworkId> network = host.load(addInParts("unknown"));
  EXPECT_EQ(network.status().code(), Code::NotFound);
}
