// report_example FILE [FILE...]: writes the example result, for tests that read files. A file named
// random-N.json gets the random content of seed N instead. report_example --table COLUMNS prints
// it.

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <string>

#include "example.hpp"
#include "random_results.hpp"
#include "report/terminal.hpp"

int main(int argc, char** argv) {
  if (argc >= 3 && std::strcmp(argv[1], "--table") == 0) {
    std::cout << report::terminal_table(
        report_test::example_results(),
        {.columns = std::atoi(argv[2]), .colour = argc > 3, .verbose = argc > 4});
    return 0;
  }
  for (int i = 1; i < argc; ++i) {
    const std::string name = std::filesystem::path(argv[i]).filename().string();
    report::write(name.starts_with("random-")
                      ? report_test::random_results(std::strtoull(name.c_str() + 7, nullptr, 10))
                      : report_test::example_results(),
                  argv[i]);
  }
}
