//===- Busy.cpp - load of the machine during a measurement ----------------===//
// SPDX-License-Identifier: MIT

#include "Busy.h"
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <sched.h>
#include <sstream>
#include <sys/resource.h>
#include <unistd.h>

using namespace glow;
using namespace glow::tool;

/// Without a mask of the system, none.
static cpu_set_t usable() {
  cpu_set_t mine;
  CPU_ZERO(&mine);
  (void)::sched_getaffinity(0, sizeof mine, &mine);
  return mine;
}

unsigned tool::usableProcessors() {
  const cpu_set_t mine = usable();
  return std::max(1u, unsigned(CPU_COUNT(&mine)));
}

static double ownMilliseconds() {
  struct rusage usage;
  ::getrusage(RUSAGE_SELF, &usage);
  double sum = 0;
  for (const timeval &time : {usage.ru_utime, usage.ru_stime})
    sum += double(time.tv_sec) * 1e3 + double(time.tv_usec) / 1e3;
  return sum;
}

/// Milliseconds that the usable processors worked since the system started:
/// the columns of a line "cpu3 ..." but for those of idle time and of guests,
/// which are in others already.
static std::optional<double> busyMilliseconds() {
  const cpu_set_t mine = usable();
  std::ifstream file("/proc/stat");
  double ticks = 0;
  bool isKnown = false;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string name;
    words >> name;
    size_t number = 0;
    if (std::sscanf(name.c_str(), "cpu%zu", &number) != 1 ||
        number >= CPU_SETSIZE || !CPU_ISSET(number, &mine))
      continue;
    double user = 0, nice = 0, system = 0, idle = 0, waiting = 0, irq = 0,
           softirq = 0, stolen = 0;
    words >> user >> nice >> system >> idle >> waiting >> irq >> softirq >>
        stolen;
    ticks += user + nice + system + irq + softirq + stolen;
    isKnown = true;
  }
  if (!isKnown)
    return std::nullopt;
  return ticks * 1e3 / double(::sysconf(_SC_CLK_TCK));
}

BusyWatch::BusyWatch()
    : ownBefore(ownMilliseconds()), allBefore(busyMilliseconds()) {}

double BusyWatch::ownTime() const { return ownMilliseconds() - ownBefore; }

std::optional<double> BusyWatch::otherProcessors() const {
  const std::optional<double> all = busyMilliseconds();
  const double time = watch.milliseconds();
  if (!all || !allBefore || time <= 0)
    return std::nullopt;
  return std::max(0.0, (*all - *allBefore - ownTime()) / time);
}

bool BusyWatch::isDisturbed() const {
  constexpr double wrong = 50, tolerated = 0.1;
  return otherProcessors().value_or(0) >
         tolerated + wrong / watch.milliseconds();
}

std::string tool::othersText(double processors) {
  char text[96];
  std::snprintf(text, sizeof text, "other processes used %.2g of %u processors",
                processors, usableProcessors());
  return text;
}
