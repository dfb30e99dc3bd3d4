// Sessions by glow.hpp of a language model whose caches grow.
// growing MODEL: of test/models/Inputs/decoder.py.

#include <algorithm>
#include <glow/glow.hpp>
#include <iostream>

using namespace glow::api;

static int64_t feed(Session &session, std::vector<int64_t> ids) {
  session.setShapes({{1, int64_t(ids.size())}});
  const TensorInfo info = session.output(0);
  std::vector<float> logits(size_t(info.shape[1] * info.shape[2]));
  session.bind("input_ids", ids).bind("logits", logits).run();
  auto last = logits.end() - info.shape[2];
  return std::max_element(last, logits.end()) - last;
}

static void generate(const char *name, Session session, int64_t token) {
  std::cout << name;
  for (int i = 0; i < 6; ++i)
    std::cout << " " << (token = feed(session, {token}));
  std::cout << "\n";
}

int main(int, char **arguments) {
  Options options;
  options.set("state", "append").setRange("P", 0, 32).setRange("S", 1, 8);
  Program program = Model(arguments[1]).compile(options);
  Session session(program);
  int64_t token = feed(session, {1, 2, 3});
  generate("fork", session.fork(), token);
  Session other(program);
  for (const glow_state_info &state : program.states())
    other.append(state.input, session.get<float>(state.input), 3);
  generate("appended", other.fork(), token);
  feed(other, {4, 5});
  other.rollback(2);
  std::cout << other.state("past.0.key").length << " entries\n";
  generate("rolled back", std::move(other), token);
  try {
    session.rollback(4);
  } catch (const Error &error) {
    std::cout << error.what() << "\n";
  }
}
