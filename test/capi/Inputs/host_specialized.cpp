// SPDX-License-Identifier: MIT
// Programs of sizes that come often, for requests to a host and its sessions.
//
// host_specialized ATTENTION DECODER: of test/sizes/Inputs/models.py and
// test/models/Inputs/decoder.py.

#include "glow/glow.hpp"
#include <cmath>
#include <cstdio>
#include <thread>

using namespace glow::api;

/// The requests that a model of this name has answered; -1 without one.
static int answered(const Host &host, const std::string &name) {
  const std::string report = host.report();
  const size_t at = report.find("\"name\": \"" + name + "\"");
  if (at == std::string::npos)
    return -1;
  const std::string key = "\"answered\": ";
  return std::stoi(report.substr(report.find(key, at) + key.size()));
}

static bool areClose(const std::vector<float> &a, const std::vector<float> &b) {
  if (a.size() != b.size())
    return false;
  float most = 1;
  for (float element : b)
    most = std::max(most, std::fabs(element));
  for (size_t i = 0; i < a.size(); ++i)
    if (std::fabs(a[i] - b[i]) > 1e-4f * most)
      return false;
  return true;
}

/// Sends the same request until a model of this name has answered some.
template <typename Send>
static void sendUntil(Host &host, const char *name, Send send) {
  const std::vector<float> first = send();
  int wrong = 0;
  while (answered(host, name) < 3) {
    wrong += !areClose(send(), first);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  std::printf("%s: %d wrong\n", name, wrong);
}

static void serveTexts(const char *path) {
  Options options;
  options.set("specialize", "eager").setRange("N", 1, 4).setRange("S", 1, 40);
  options.set("threads", "1");
  const Program program = Model(path).compile(options);
  Host host;
  host.addDevice("one", "cpu", 1);
  const glow_model_id alone = host.serve("alone", {&program}),
                      joined = host.serve("joined", program, "N");
  auto send = [&](glow_model_id to, int64_t batch, int64_t words) {
    std::vector<float> x(size_t(batch * words * 16));
    for (size_t i = 0; i < x.size(); ++i)
      x[i] = float(i % 13) / 13;
    TensorInfo info;
    return host.submit(to, {{GLOW_F32, {batch, words, 16}, x}})
        .get()
        .output<float>(0, info);
  };
  sendUntil(host, "alone x[2,17,16]", [&] { return send(alone, 2, 17); });
  // Requests are still joined along the batch.
  sendUntil(host, "joined x[?,17,16]", [&] { return send(joined, 1, 17); });
  const int before = answered(host, "joined x[?,17,16]");
  send(joined, 3, 17), send(joined, 1, 18);
  std::printf("another batch: %d\n",
              answered(host, "joined x[?,17,16]") - before);
  try {
    send(alone, 2, 41);
  } catch (const Error &error) {
    std::printf("%s\n", error.what());
  }
  // A new version has no programs of the older one, and an ended model none.
  Options plain;
  plain.setRange("N", 1, 4).setRange("S", 1, 40).set("threads", "1");
  const Program newer = Model(path).compile(plain);
  host.serve("alone", {&newer});
  send(alone, 2, 17);
  std::printf("of the older version: %d\n", answered(host, "alone x[2,17,16]"));
  host.end(joined);
  std::printf("of the ended model: %d\n", answered(host, "joined x[?,17,16]"));
}

static void serveSessions(const char *path) {
  Options options;
  options.set("state", "append").setRange("P", 0, 32).setRange("S", 1, 4);
  options.set("specialize", "eager").set("threads", "1");
  const Program program = Model(path).compile(options);
  Host host;
  host.addDevice("one", "cpu", 1);
  const glow_model_id model = host.serve("decoder", {&program});
  const glow_host_session session = host.openSession(model),
                          other = host.openSession(model);
  auto step = [&](glow_host_session to, std::vector<int64_t> ids) {
    TensorInfo info;
    return host.submitTo(to, {{GLOW_I64, {1, int64_t(ids.size())}, ids}})
        .get()
        .output<float>(0, info);
  };
  step(session, {1, 2, 3});
  step(other, {1, 2, 3});
  sendUntil(host, "decoder input_ids[1,1]", [&] {
    const std::vector<float> logits = step(session, {7});
    host.rollback(session, 1);
    return logits;
  });
  // A session goes on by another program with the states of the first.
  int same = 0;
  for (int64_t token : {7, 8, 9})
    same += areClose(step(session, {token}), step(other, {token}));
  std::printf("%d of 3 steps\n", same);
  const std::vector<float> two = step(session, {4, 5});
  step(other, {4});
  const std::vector<float> last = step(other, {5});
  std::printf(
      "two at once: %d\n",
      areClose({two.end() - std::ptrdiff_t(last.size()), two.end()}, last));
  host.closeSession(other);
}

int main(int, char **arguments) {
  serveTexts(arguments[1]);
  serveSessions(arguments[2]);
}
