// SPDX-License-Identifier: MIT
// Sessions of a host: many texts through one served language model.
//
// host_sessions MODEL MODULE: of test/models/Inputs/decoder.py, and with the
// functions infer and train.

#include <algorithm>
#include <glow/glow.hpp>
#include <iostream>
#include <thread>

using namespace glow::api;

using Tokens = std::vector<int64_t>;

static int64_t likeliest(const std::vector<float> &logits, int64_t words) {
  auto last = logits.end() - words;
  return std::max_element(last, logits.end()) - last;
}

/// The likeliest token after these ones, of a session of its own.
static int64_t feed(Session &session, Tokens ids) {
  session.setShapes({{1, int64_t(ids.size())}});
  const TensorInfo info = session.output(0);
  std::vector<float> logits(size_t(info.shape[1] * info.shape[2]));
  session.bind("input_ids", ids).bind("logits", logits).run();
  return likeliest(logits, info.shape[2]);
}

/// The same of a session of a host.
static int64_t feed(Host &host, glow_host_session session, const Tokens &ids) {
  Answer answer =
      host.submitTo(session, {{GLOW_I64, {1, int64_t(ids.size())}, ids}}).get();
  TensorInfo info;
  const std::vector<float> logits = answer.output<float>(0, info);
  return info.name == "logits" ? likeliest(logits, info.shape[2]) : -1;
}

template <typename Feed> static Tokens generate(Feed feed, Tokens prompt) {
  Tokens tokens{feed(prompt)};
  while (tokens.size() < 20)
    tokens.push_back(feed(Tokens{tokens.back()}));
  return tokens;
}

template <typename Action> static void show(const char *what, Action action) {
  try {
    action();
    std::cout << what << ": ok\n";
  } catch (const Error &error) {
    std::cout << what << ": " << error.what() << "\n";
  }
}

/// Requests to two functions over the same states.
static void learn(Host &host, const char *path) {
  const Model module(path);
  const Program infer = module.function("infer").compile(),
                train = module.function("train").compile();
  const glow_host_session session =
      host.openSession({host.serve("infer", {&infer}, {1, 1, 0, 0}),
                        host.serve("train", {&train}, {1, 1, 0, 0})});
  std::vector<std::future<Answer>> steps;
  for (int i = 0; i < 3; ++i)
    steps.push_back(
        host.submitTo(session, 1, {{GLOW_F32, {4}, std::vector<float>(4, 8)}}));
  auto answer =
      host.submitTo(session, {{GLOW_F32, {4}, std::vector<float>(4, 1)}});
  TensorInfo info;
  const float y = answer.get().output<float>(0, info)[0];
  std::cout << info.name << " after three steps: " << y << "\n";
  const Answer step = steps[0].get();
  step.output<float>(0, info);
  std::cout << "a step gives " << step.outputs() << ": " << info.name << "\n";
  show("third", [&] { host.submitTo(session, 2, {}).get(); });
  show("no models", [&] { host.openSession(std::vector<glow_model_id>()); });
}

int main(int, char **arguments) {
  Options options;
  options.set("state", "append").setRange("P", 0, 32).setRange("S", 1, 8);
  const Program program = Model(arguments[1]).compile(options);
  Host host;
  host.addDevice("one", "cpu", 1).addDevice("two", "cpu", 1);
  const glow_model_id model = host.serve("decoder", {&program}, {2, 1, 0, 0});

  std::vector<std::thread> threads;
  bool same[6];
  for (int i = 0; i < 6; ++i)
    threads.emplace_back([&, i] {
      const Tokens prompt{i + 1, 2, 3};
      Session alone(program);
      const glow_host_session served = host.openSession(model);
      same[i] = generate([&](Tokens ids) { return feed(host, served, ids); },
                         prompt) ==
                generate([&](Tokens ids) { return feed(alone, ids); }, prompt);
      host.closeSession(served);
    });
  for (std::thread &thread : threads)
    thread.join();
  std::cout << std::count(same, same + 6, true) << " of 6 texts\n";

  const glow_host_session first = host.openSession(model);
  const int64_t token = feed(host, first, {1, 2, 3});
  host.save(first, "first.session");
  const int64_t next = feed(host, first, {token});
  host.rollback(first, 1);
  std::cout << "rolled back: " << (feed(host, first, {token}) == next) << "\n";
  host.closeSession(first);
  const glow_host_session second = host.openSession(model);
  host.restore(second, "first.session");
  std::cout << "restored: " << (feed(host, second, {token}) == next) << "\n";
  host.reset(second);
  std::cout << "reset: " << (feed(host, second, {1, 2, 3}) == token) << "\n";

  learn(host, arguments[2]);
  show("closed", [&] { feed(host, first, {1}); });
  show("close", [&] { host.closeSession(first); });
  show("restore", [&] { host.restore(second, "nowhere.session"); });
  show("rollback", [&] { host.rollback(second, 4); });
  show("range", [&] { feed(host, second, Tokens(9)); });
  show("kind", [&] {
    host.submitTo(second, {{GLOW_F32, {1, 1}, std::vector<float>(1)}}).get();
  });
  show("count", [&] { host.submitTo(second, {}).get(); });
  for (int i = 0; i < 3; ++i)
    feed(host, second, Tokens(8));
  show("full", [&] { feed(host, second, Tokens(8)); });
  show("rest", [&] { feed(host, second, Tokens(5)); });
  show("model", [&] { host.openSession(77); });
  show("null", [&] { check(glow_host_session_new(nullptr, model, nullptr)); });
  show("none", [&] { host.reset(99); });
}
