"""configs/config.schema.json accepts every configuration that ships and refuses what the reader refuses by shape.

Exit 0 passed, 1 failed, 77 skipped because a Python module is missing (a failure where REQUIRE_TOOLS=1).
"""

import json
import os
import pathlib
import sys

try:
    import jsonschema
    import yaml
except ImportError as missing:
    print(f"not run: {missing} (apt-get install python3-jsonschema python3-yaml)")
    sys.exit(1 if os.environ.get("REQUIRE_TOOLS") == "1" else 77)

REFUSED = {
    "unknown key": "{backend: cuda, stanzas: [], sed: 1}",
    "unknown backend": "{backend: cud, stanzas: []}",
    "unknown device": "{extends: gpu.yaml, device: h20}",
    "no backend": "{stanzas: []}",
    "no stanzas": "{backend: cuda}",
    "a list": "[1]",
    "zero repetitions": "{extends: gpu.yaml, repetitions: 0}",
    "fractional repetitions": "{extends: gpu.yaml, repetitions: 1.5}",
    "repetitions as a text": "{extends: gpu.yaml, repetitions: '5'}",
    "negative seed": "{extends: gpu.yaml, seed: -1}",
    "seed beyond 64 bits": "{extends: gpu.yaml, seed: 18446744073709551616}",
    "negative minutes": "{extends: gpu.yaml, max_minutes: -1}",
    "empty output": "{extends: gpu.yaml, output: ''}",
    "stanza without probe": "{extends: gpu.yaml, stanzas: [{footprint: 1KiB}]}",
    "probe outside the folders": "{extends: gpu.yaml, stanzas: [{probe: speed/global}]}",
    "empty axis": "{extends: gpu.yaml, stanzas: [{probe: latency/global, footprint: []}]}",
    "axis of nothing": "{extends: gpu.yaml, stanzas: [{probe: latency/global, footprint: }]}",
    "negative value": "{extends: gpu.yaml, stanzas: [{probe: latency/global, footprint: -1}]}",
    "auto in a list": "{extends: gpu.yaml, stanzas: [{probe: latency/global, footprint: [auto]}]}",
    "list in a list": "{extends: gpu.yaml, stanzas: [{probe: latency/global, footprint: [[1]]}]}",
    "range of one": "{extends: gpu.yaml, stanzas: [{probe: latency/global, footprint: {range: [1]}}]}",
    "unknown scale": "{extends: gpu.yaml, stanzas: [{probe: latency/global, footprint: {range: [1, 2], scale: ln}}]}",
    "linear without step": "{extends: gpu.yaml, stanzas: [{probe: latency/global, footprint: {range: [1, 2], scale: linear}}]}",
    "log2 with step": "{extends: gpu.yaml, stanzas: [{probe: latency/global, footprint: {range: [1, 2], step: 1}}]}",
    "linear with points": "{extends: gpu.yaml, stanzas: [{probe: latency/global, footprint: "
    "{range: [1, 2], scale: linear, step: 1, points_per_octave: 1}}]}",
    "unknown key of a range": "{extends: gpu.yaml, stanzas: [{probe: latency/global, footprint: {range: [1, 2], steps: 1}}]}",
}

ACCEPTED = {
    "linear": "{extends: gpu.yaml, stanzas: [{probe: latency/global, footprint: {range: [1, 2], scale: linear, step: 1}}]}",
    "auto": "{extends: gpu.yaml, stanzas: [{probe: latency/global, footprint: auto, repetitions: 3}]}",
    "largest seed": "{extends: gpu.yaml, seed: 18446744073709551615, max_minutes: 0.5}",
    "mixed list": "{extends: gpu.yaml, stanzas: [{probe: latency/global, footprint: [1, 2KiB, {range: [1, 0.4 x l2]}]}]}",
}


def main(configs: pathlib.Path) -> int:
    schema = json.loads((configs / "config.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    failures = []
    shipped = sorted(configs.glob("*.yaml"))
    if len(shipped) < 9:
        failures.append(f"only {len(shipped)} configurations in {configs}")
    for file in shipped:
        for error in validator.iter_errors(yaml.safe_load(file.read_text(encoding="utf-8"))):
            failures.append(f"{file.name}: {error.json_path}: {error.message}")
    for name, text in ACCEPTED.items():
        if not validator.is_valid(yaml.safe_load(text)):
            failures.append(f"refused, but allowed: {name}")
    for name, text in REFUSED.items():
        if validator.is_valid(yaml.safe_load(text)):
            failures.append(f"accepted, but not allowed: {name}")
    print("\n".join(failures) or f"{len(shipped)} configurations, {len(REFUSED)} refusals: as the schema should")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
