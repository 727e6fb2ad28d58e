// A board with UUID GPU-board at 0000:0a:00.0 and a MIG instance MIG-slice of it, as NVML would show them. Counters stand still
// until fake_nvml_pass() is called.

#include <cstring>

namespace {

struct Device {
  bool is_mig;
};
Device board{false};
Device slice{true};
unsigned long long power_event_ns = 5'000;
unsigned long long reasons = 0;

constexpr int kNotSupported = 3;
constexpr int kNotFound = 6;

int answer_text(char* into, unsigned length, const char* text) {
  std::strncpy(into, text, length);
  return 0;
}

}  // namespace

extern "C" {

int nvmlInit_v2() { return 0; }
int nvmlShutdown() { return 0; }
const char* nvmlErrorString(int code) { return code == kNotSupported ? "Not Supported" : "Other"; }

void fake_nvml_pass(unsigned long long ns, unsigned long long mask) {
  power_event_ns += ns;
  reasons = mask;
}

int nvmlDeviceGetHandleByUUID(const char* uuid, Device** device) {
  if (std::strcmp(uuid, "GPU-board") == 0) {
    *device = &board;
  } else if (std::strcmp(uuid, "MIG-slice") == 0) {
    *device = &slice;
  } else {
    return kNotFound;
  }
  return 0;
}

int nvmlDeviceGetHandleByPciBusId_v2(const char* pci, Device** device) {
  *device = &board;
  return std::strcmp(pci, "0000:0a:00.0") == 0 ? 0 : kNotFound;
}

int nvmlDeviceGetDeviceHandleFromMigDeviceHandle(Device* device, Device** parent) {
  *parent = &board;
  return device->is_mig ? 0 : kNotSupported;
}

int nvmlDeviceGetSerial(Device*, char* into, unsigned length) {
  return answer_text(into, length, "1650522000000");
}
int nvmlDeviceGetBoardPartNumber(Device*, char*, unsigned) { return kNotSupported; }
int nvmlDeviceGetEnforcedPowerLimit(Device*, unsigned* milliwatts) {
  *milliwatts = 700'000;
  return 0;
}
int nvmlDeviceGetEccMode(Device*, unsigned* current, unsigned* pending) {
  *current = 1;
  *pending = 0;
  return 0;
}
int nvmlDeviceGetClockInfo(Device* device, unsigned type, unsigned* megahertz) {
  *megahertz = type == 1 ? 1980 : 3201;
  return device->is_mig ? kNotSupported : 0;
}

#ifdef FAKE_NVML_OLD

int nvmlSystemGetDriverVersion(char* into, unsigned length) {
  return answer_text(into, length, "525.60.13");
}
int nvmlDeviceGetCurrentClocksThrottleReasons(Device*, unsigned long long* mask) {
  *mask = reasons;
  return 0;
}
struct ViolationTime {
  unsigned long long reference_us;
  unsigned long long violation_ns;
};
int nvmlDeviceGetViolationStatus(Device*, unsigned policy, ViolationTime* time) {
  time->violation_ns = power_event_ns;
  return policy == 0 ? 0 : kNotSupported;
}

#else

int nvmlSystemGetDriverVersion(char* into, unsigned length) {
  return answer_text(into, length, "580.95.05");
}
int nvmlDeviceGetCurrentClocksEventReasons(Device*, unsigned long long* mask) {
  *mask = reasons;
  return 0;
}
struct FieldValue {
  unsigned id;
  unsigned scope;
  long long timestamp;
  long long latency_us;
  unsigned type;
  int code;
  unsigned long long value;
};
int nvmlDeviceGetFieldValues(Device*, int count, FieldValue* fields) {
  for (FieldValue* field = fields; field != fields + count; ++field) {
    field->code = 0;
    field->type = 3;  // unsigned long long
    if (field->id == 74) {
      field->value = power_event_ns;
    } else if (field->id == 83) {
      field->value = power_event_ns / 5;  // "millijoules"
    } else if (field->id == 94) {
      field->type = 1;  // unsigned int, and what is above it is not part of it
      field->value = 0xdead'0000'0007;
    } else {
      field->code = kNotSupported;
    }
  }
  return 0;
}

#endif
}
