#include "cuda/device_select.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>

namespace cuda {
namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

std::optional<unsigned> number(std::string_view text, int base) {
  unsigned value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  const bool whole = !text.empty() && error == std::errc{} && end == text.data() + text.size();
  return whole ? std::optional(value) : std::nullopt;
}

std::string list(std::span<const VisibleDevice> visible) {
  std::string text;
  for (const VisibleDevice& device : visible) {
    text += fmt::format("{}{} {} {} {}", text.empty() ? "" : "; ", device.ordinal, device.name,
                        device.uuid, device.pci);
  }
  return text.empty() ? "none" : text;
}

std::string no_such(std::string_view wanted, std::string_view what,
                    std::span<const VisibleDevice> visible) {
  return fmt::format("no visible device {} '{}'; visible: {}", what, wanted, list(visible));
}

}  // namespace

std::string normal_pci(std::string_view text) {
  const auto colons = std::ranges::count(text, ':');
  if (colons != 1 && colons != 2) {
    return {};
  }
  std::string_view domain = "0";
  if (colons == 2) {
    domain = text.substr(0, text.find(':'));
    text.remove_prefix(domain.size() + 1);
  }
  const std::string_view bus = text.substr(0, text.find(':'));
  text.remove_prefix(bus.size() + 1);
  const std::string_view device = text.substr(0, text.find('.'));
  const std::string_view function =
      device.size() == text.size() ? "0" : text.substr(device.size() + 1);
  const auto d = number(domain, 16);
  const auto b = number(bus, 16);
  const auto v = number(device, 16);
  const auto f = number(function, 16);
  if (!d || !b || !v || !f || *b > 0xff || *v > 0x1f || *f > 7) {
    return {};
  }
  return fmt::format("{:04x}:{:02x}:{:02x}.{:x}", *d, *b, *v, *f);
}

std::variant<int, std::string> select_device(std::string_view wanted,
                                             std::span<const VisibleDevice> visible) {
  if (visible.empty()) {
    return std::string("no visible device");
  }
  if (wanted.empty()) {
    return visible.front().ordinal;
  }
  if (std::ranges::all_of(wanted, [](unsigned char c) { return std::isdigit(c) != 0; })) {
    const auto index = number(wanted, 10);
    if (index && *index < visible.size()) {
      return visible[*index].ordinal;
    }
    return no_such(wanted, "has index", visible);
  }
  const std::string key = lower(wanted);
  if (key.starts_with("gpu-") || key.starts_with("mig-")) {
    std::vector<VisibleDevice> matching;
    std::ranges::copy_if(visible, std::back_inserter(matching), [&](const VisibleDevice& device) {
      return lower(device.uuid).starts_with(key);
    });
    if (matching.size() == 1) {
      return matching.front().ordinal;
    }
    return matching.empty()
               ? no_such(wanted, "has UUID", visible)
               : fmt::format("UUID prefix '{}' is not unique: {}", wanted, list(matching));
  }
  const std::string pci = normal_pci(key);
  if (pci.empty()) {
    return fmt::format(
        "'{}' is no device: write an index (0), a UUID (GPU-..., MIG-..., a unique prefix) or a "
        "PCI "
        "id (0000:0a:00.0); visible: {}",
        wanted, list(visible));
  }
  const auto at = std::ranges::find(visible, pci, &VisibleDevice::pci);
  if (at == visible.end()) {
    return no_such(wanted, "has PCI id", visible);
  }
  return at->ordinal;
}

}  // namespace cuda
