// The parts of glow.hpp beside compiling and running: wrapper DYNAMIC REFUSED.

#include <fstream>
#include <glow/glow.hpp>
#include <iostream>
#include <iterator>
#include <mutex>

using namespace glow::api;

static std::string bytesOf(const char *path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

static void run(const Program &program) {
  std::vector<float> x(2 * 32, 1), y(2 * 64);
  Call call(program);
  call.bind("x", x).bind("y", y);
  std::future<void> over = call.runAsync();
  over.get();
  std::cout << "y is " << y.front() << "\n";
  call.cancel(); // no run
  std::cout << "profile: " << call.profile(2).substr(0, 9) << "\n";
  try {
    Call(program).runAsync();
  } catch (const Error &error) {
    std::cout << "not begun: " << error.what() << "\n";
  }
}

int main(int, char **arguments) try {
  std::cout << "version " << version() << "\n";
  for (const glow_option_info &option : Options::all())
    if (std::string(option.name) == "math")
      std::cout << option.name << ": " << option.type << "\n";

  std::mutex mutex;
  std::string said;
  logTo(GLOW_LOG_INFO, [&](glow_log_level level, const std::string &text) {
    std::lock_guard lock(mutex);
    said += std::to_string(level) + " " + text + "\n";
  });
  Model model(arguments[1]);
  for (const TensorInfo &input : model.inputs())
    std::cout << input.name << ": " << input.dimensions[0] << "\n";
  Options options;
  options.set("cache-dir", "").setSize("n", 2);
  std::cout << "explained: "
            << (model.explain(options).find("matmul") != std::string::npos)
            << (model.explain(options, true)[0] == '{') << "\n";
  run(model.compile(options));
  try {
    Model(bytesOf(arguments[2]), "bytes").compile();
  } catch (const Error &error) {
    std::cout << error.status << " " << error.what() << "\n";
  }
  logTo(GLOW_LOG_OFF, {});
  std::cout << "said:\n" << said;
} catch (const Error &error) {
  std::cout << "error: " << error.what() << "\n";
  return 1;
}
