// Sessions by glow.hpp. session MODEL: y = 2 (x + h0), hn = y + 1, of f32[4].

#include <glow/glow.hpp>
#include <iostream>

using namespace glow::api;

static float step(Session &session) {
  std::vector<float> x(4, 1), y(4);
  session.bind("x", x).bind("y", y).run();
  return y[0];
}

int main(int, char **arguments) {
  Program program = Model(arguments[1]).compile();
  for (const glow_state_info &state : program.states())
    std::cout << state.input << "=" << state.output << "\n";
  Session session(program);
  const float first = step(session), second = step(session);
  Session fork = session.fork();
  session.save("four.session");
  const float third = step(session), forked = step(fork);
  std::cout << first << " " << second << " fork " << third << " " << forked
            << " state " << session.get<float>("h0")[0] << "\n";
  session.set("h0", std::vector<float>(4, 100));
  session.restore("four.session");
  Session moved = std::move(session);
  std::cout << "restored " << step(moved) << "\n";
  try {
    moved.append("h0", std::vector<float>(4), 1);
  } catch (const Error &error) {
    std::cout << error.what() << "\n";
  }
  moved.reset();
  std::vector<float> x(4, 1), y(4);
  moved.bind("x", x).bind("y", y).runAsync().get();
  std::cout << "async " << y[0] << "\n";
}
