// Lists the backends of this build and hands over to the application.

#include "app/app.hpp"
#include "host/backend.hpp"
#include "model/backend.hpp"
#ifdef MICRO_WITH_CUDA
#include "cuda/backend.hpp"
#include "cuda/driver.hpp"
#endif

int main(int argc, char** argv) {
  std::vector<app::BackendEntry> backends;
#ifdef MICRO_WITH_CUDA
  backends.push_back({"cuda", [](const std::string& device) { return cuda::make_backend(device); },
                      cuda::oldest_driver(MICRO_CUDA_RUNTIME_VERSION)});
#endif
  backends.push_back({"host", [](const std::string&) { return host::make_backend(); }});
  backends.push_back({"model", [](const std::string&) { return model::make_backend(); }});
  return app::run(argc, argv, backends);
}
