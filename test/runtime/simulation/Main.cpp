//===- Main.cpp - GlowSimulation ------------------------------------------===//
//
// GlowSimulation --seeds FROM:TO [--mistake N] runs a plan for each seed, and
// ends at the first that fails with its seed and the least that fails, too.
// GlowSimulation --changes FROM:TO also prints the changes of states that plans
// made: the enumeration of monitor/States.h, the old and the new number.
// GlowSimulation --scale RUN:HOST:LATENCY:TRANSFER prints what hosts of 1 to 64
// devices do at these costs of a request, in microseconds (Scale.h).
//
//===----------------------------------------------------------------------===//

#include "Plan.h"
#include "Scale.h"
#include "glow/Runtime/Device.h"
#include "runtime/base/Mistake.h"
#include "runtime/host/monitor/States.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace simulation;

static int printScale(const Costs &costs) {
  for (size_t devices = 1; devices <= 64; devices *= 2)
    std::printf("%zu %.1f\n", devices, throughputOf(devices, costs));
  return 0;
}

template <typename Value> static void printChanges(const char *name) {
  for (int from = 0; from < 8; ++from)
    for (int to = 0; to < 8; ++to)
      if (from != to && glow::runtime::changed<Value>[from][to])
        std::printf("%s %d %d\n", name, from, to);
}

static void printAllChanges() {
  using namespace glow::runtime;
  printChanges<RequestState>("RequestState");
  printChanges<RunState>("RunState");
  printChanges<ModelState>("ModelState");
  printChanges<CopyState>("CopyState");
  printChanges<ProgramState>("ProgramState");
  printChanges<glow::DeviceState>("DeviceState");
}

int main(int count, char **arguments) {
  unsigned long long from = 0, to = 1000, mistake = 0;
  bool printsChanges = false;
  Costs costs;
  for (int i = 1; i + 1 < count; i += 2)
    if (!std::strcmp(arguments[i], "--scale") &&
        std::sscanf(arguments[i + 1], "%lf:%lf:%lf:%lf", &costs.run,
                    &costs.host, &costs.latency, &costs.transfer) == 4)
      return printScale(costs);
    else if ((!std::strcmp(arguments[i], "--seeds") ||
              !std::strcmp(arguments[i], "--changes")) &&
             std::sscanf(arguments[i + 1], "%llu:%llu", &from, &to) == 2)
      printsChanges = !std::strcmp(arguments[i], "--changes");
    else if (!std::strcmp(arguments[i], "--mistake"))
      mistake = std::strtoull(arguments[i + 1], nullptr, 10);
    else
      return std::fprintf(stderr,
                          "GlowSimulation: error: '%s' is neither "
                          "--seeds FROM:TO, --mistake N, --changes FROM:TO nor "
                          "--scale RUN:HOST:LATENCY:TRANSFER\n",
                          arguments[i]),
             2;
  glow::runtime::planted = glow::runtime::Mistake(mistake);
  for (unsigned long long seed = from; seed < to; ++seed) {
    Plan plan = planOf(seed);
    std::optional<std::string> wrong = run(plan);
    if (!wrong)
      continue;
    std::printf("seed %llu: %s\n", seed, wrong->c_str());
    if (run(plan) != wrong)
      return std::printf("it does not repeat\n"), 1;
    Plan least = shrink(plan);
    std::printf("the least that fails: %s\n%s", run(least)->c_str(),
                text(least).c_str());
    return 1;
  }
  std::printf("%llu seeds, nothing wrong\n", to - from);
  if (printsChanges)
    printAllChanges();
  return 0;
}
