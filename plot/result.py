"""A result file, and the curves in it. Nothing is computed here: values come from `measurements` and `map`."""

import gzip
import json
import math
import zlib

SCHEMA_VERSION = 1


class Refused(Exception):
    """The file cannot be drawn; the text says why, in one line."""


def read(file):
    """The content of a .json or .json.gz result file. Raises Refused."""
    try:
        content = file.read_bytes()
        if content[:2] == b"\x1f\x8b":
            content = gzip.decompress(content)
    except EOFError:
        raise Refused(f"{file} is truncated: the gzip stream ends early")
    except (gzip.BadGzipFile, zlib.error):
        raise Refused(f"{file} is damaged (gzip)")
    except OSError as error:
        raise Refused(f"cannot read {file}: {error.strerror}")
    try:
        result = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise Refused(f"{file} is not JSON: {error}")
    if not isinstance(result, dict) or not isinstance(result.get("schema_version"), int):
        raise Refused(f"{file} is no result file: it has no schema_version")
    if result["schema_version"] > SCHEMA_VERSION:
        raise Refused(f"{file} has schema_version {result['schema_version']}; this program reads up to {SCHEMA_VERSION}")
    return result


def axis(measurement, name):
    """The value of an axis, or None."""
    return next((one["value"] for one in measurement["axes"] if one["axis"] == name), None)


def estimate(measurement, name, unit):
    """(value, low, high) of a metric as finite numbers (low, high: or None), or None."""
    for one in measurement["summary"]:
        if one["name"] == name and one["unit"] == unit and is_number(one["value"]):
            return one["value"], *(end if is_number(end) else None for end in (one["low"], one["high"]))
    return None


def is_number(value):
    return isinstance(value, (int, float)) and math.isfinite(value)


def label(key, result):
    """(("operation", "read"), ("operator", "ca")) -> "read, operator ca (L1)", with the levels that the operator reaches."""
    words = []
    for name, value in key:
        reached = [level["name"] for level in result["context"]["device"]["levels"] if name == "operator" and level["reached_by"] == value]
        words.append((value if name == "operation" else f"{name} {value}") + (f" ({', '.join(reached)})" if reached else ""))
    return ", ".join(words) or "measured"


def curves(result, answers, metric, unit):
    """{key: points}, a curve for every setting of the axes other than footprint, in the order of the file; points are
    (footprint, value, low, high, status) in ascending order of the footprint."""
    found = {}
    for measurement in result["measurements"]:
        footprint = axis(measurement, "footprint")
        if measurement["answers"] != answers or not isinstance(footprint, int):
            continue
        key = tuple((one["axis"], one["value"]) for one in measurement["axes"] if one["axis"] != "footprint")
        points = found.setdefault(key, [])
        numbers = estimate(measurement, metric, unit)
        if numbers and numbers[0] > 0 and measurement["status"] not in ("failed", "skipped"):
            points.append((footprint, *numbers, measurement["status"]))
    return {key: sorted(points) for key, points in found.items() if points}


def without_number(result, answers, metric, unit):
    """{status: [footprints]} of the planned points that have no number to draw."""
    found = {}
    for measurement in result["measurements"]:
        footprint = axis(measurement, "footprint")
        if measurement["answers"] != answers or not isinstance(footprint, int):
            continue
        if measurement["status"] in ("failed", "skipped") or not (estimate(measurement, metric, unit) or (0,))[0] > 0:
            found.setdefault(measurement["status"], []).append(footprint)
    return found


def unit_ratio(result, answers, metric, unit, other):
    """What one `unit` is in `other`, where all points agree on it within 1 % (the clock held), else None."""
    ratios = []
    for measurement in result["measurements"]:
        if measurement["answers"] == answers and measurement["status"] == "ok":
            these, others = (estimate(measurement, metric, one) for one in (unit, other))
            if these and others and these[0] > 0:
                ratios.append(others[0] / these[0])
    ratios.sort()
    if not ratios or ratios[-1] > 1.01 * ratios[0]:
        return None
    return ratios[len(ratios) // 2]


def point_of(result, entry, answers):
    """The middle one of the measurements that an entry of the map comes from, or None."""
    if entry is None or not is_number(entry["value"]):
        return None
    points = [one for one in result["measurements"] if one["id"] in entry["points"] and one["answers"] == answers]
    return points[len(points) // 2] if points else None


def levels(result):
    """The map's levels, each with the `family` and ceilings that the device's description gives it."""
    described = {level["name"]: level for level in result["context"]["device"]["levels"]}
    return [(level, described.get(level["name"], {})) for level in result["map"]["levels"]]


def core_word(result):
    """What has a clock of its own."""
    return "core" if result["context"]["device"]["backend"] == "host" else "SM"


def how_summarised(result):
    """What a point and its bar are."""
    return f"Median and its interval over {result['context']['repetitions']} repetitions."


def title(text, result):
    """What nobody may overlook stands in the title."""
    if result["context"]["device"]["simulated"]:
        text += " (SIMULATED)"
    return text if result["complete"] else text + " (INCOMPLETE RUN)"


def caption(result, clock_text):
    """Two lines: who was measured, and with what and when."""
    context = result["context"]
    device = context["device"]
    driver = next((device["explanations"][name] for name in ("driver", "driver_version") if name in device["explanations"]), None)
    config = context["config"]
    lines = [
        [device["device"], "-".join(device["uuid"].split("-")[:2]), f"driver {driver}" if driver else "", clock_text],
        [f"configuration {config['name']} ({config['sha256'][:8]})", context["started_utc"][:16].replace("T", " ") + " UTC"],
    ]
    if device["simulated"]:
        lines[1].append("simulated: no measurement of any device")
    if not result["complete"]:
        lines[1].append("incomplete: " + result["incomplete_reason"])
    return "\n".join("  |  ".join(part for part in line if part) for line in lines)
