// SPDX-License-Identifier: MIT
// functions.cpp MODULE: the functions of a module over one session, in C++.
#include <cstdio>
#include <glow/glow.hpp>
#include <iostream>

int main(int, char **arguments) {
  glow::api::Model module(arguments[1]);
  for (const std::string &name : module.functions())
    std::cout << name << (name == "reset" ? "\n" : " ");
  glow::api::Program infer = module.function("infer").compile(),
                     train = module.function("train").compile();
  glow::api::Session session({&infer, &train});
  std::vector<float> x(4, 10), y(4), goal = {8, 4, 2, 0}, error(4), other(4);
  session.bind("x", x).bind("y", y);
  glow::api::SessionCall step = session.of(1);
  step.bind("goal", goal).bind("error", error);
  step.run();
  const float first = error[0];
  step.run();
  session.run();
  std::cout << y[0] << " after " << first << " and " << error[0];
  glow::api::Session fork = session.fork();
  fork.bind("x", x).bind("y", other).run();
  step.run();
  session.run();
  std::cout << ", fork " << other[0] << ", then " << y[0] << "\n";
}
