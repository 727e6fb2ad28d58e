"""Bandwidth against working set: what each level carries, beside what physics allows."""

import result as results
import style

ANSWERS = "level_bandwidth"


def draw(result):
    """The figure, or None when the file holds no such curve."""
    curves = results.curves(result, ANSWERS, "bandwidth", "bytes_per_s")
    if not curves:
        return None
    core = results.core_word(result)
    worker = "thread" if core == "core" else core
    whole = "" if core == "core" else " of the GPU"  # of a CPU, as many cores as the curve says
    per_core = results.unit_ratio(result, ANSWERS, "bandwidth", "bytes_per_s", "bytes_per_cycle_per_sm")
    clock_ratio = results.unit_ratio(result, "level_latency", "latency", "cycles", "ns")
    fig, axes = style.figure(
        results.title("Bandwidth against working set", result),
        f"Declared bytes over time, every {worker} in a chunk of its own. {results.how_summarised(result)} Higher is better.",
        results.caption(result, f"{core} clock {1000 / clock_ratio:.0f} MHz" if clock_ratio else ""),
    )
    missing = results.without_number(result, ANSWERS, "bandwidth", "bytes_per_s")
    scaled = {key: [(x, *(v and v / 1e9 for v in numbers), status) for x, *numbers, status in points] for key, points in curves.items()}
    keys = draw_series(axes, scaled, result)
    everything = [point for points in scaled.values() for point in points]
    sizes = [point[0] for point in everything] + [size for some in missing.values() for size in some]
    style.size_axis(axes, min(sizes), max(sizes), f"Working set of all {worker}s together")
    ceilings = ceilings_of(result, per_core)
    plausible = [point for point in everything if point[4] != "invalid"] or everything
    top, bottom = max(point[3] or point[1] for point in plausible), min(point[2] or point[1] for point in plausible)
    shown = [one for one in ceilings if bottom < one[0] <= 1.6 * top]
    axes.set_yscale("log")
    style.log_axis(axes.yaxis, "1-2-5")
    axes.set_ylim(bottom / 1.35, 1.35 * max([top] + [one[0] for one in shown]))
    axes.set_ylabel(f"Bandwidth{whole} (GB/s, log scale)")
    if per_core:
        style.second_axis(axes, per_core * 1e9, f"Bandwidth of one {core} (B/clk, log scale)")
    called_out = label_levels(axes, result)
    for value, names, words in shown:
        style.ceiling(axes, value, f"{', '.join(names)} peak {words}", called_out.get(names[0]))
    style.capacities(axes, capacity_marks(result))
    keys += style.status_keys(axes, everything, missing)
    style.legend(axes, keys, "upper right")
    return fig


def draw_series(axes, curves, result):
    """Colour and mark tell the operation, the line the rest (operator, threads)."""
    operations = list(dict.fromkeys(dict(key).get("operation") for key in curves))
    rests = list(dict.fromkeys(tuple(pair for pair in key if pair[0] != "operation") for key in curves))
    keys = []
    for key, points in curves.items():
        rest = tuple(pair for pair in key if pair[0] != "operation")
        keys.append(style.series(axes, points, operations.index(dict(key).get("operation")), rests.index(rest), results.label(key, result)))
    return keys


def ceilings_of(result, per_core):
    """[(GB/s, names of the levels that share it, words)]."""
    found = {}
    for level, described in results.levels(result):
        if described.get("family") not in ("cache", "memory"):
            continue
        if described["ceiling_bytes_per_s"]:
            value = described["ceiling_bytes_per_s"] / 1e9
            words = f"{style.number_text(value)} GB/s"
        elif described["ceiling_bytes_per_cycle_per_sm"] and per_core:
            value = described["ceiling_bytes_per_cycle_per_sm"] / per_core / 1e9
            words = f"{described['ceiling_bytes_per_cycle_per_sm']:g} B/clk/{results.core_word(result)}"
        else:
            continue
        found.setdefault(value, ([], words))[0].append(level["name"])
    return [(value, *rest) for value, rest in found.items()]


def label_levels(axes, result):
    """The map's headline of each level, at the point that it comes from. Returns {name: x}."""
    places = {}
    for level, _ in results.levels(result):
        entry = next((one for one in level["bandwidth"] if one["unit"] == "bytes_per_s"), None)
        point = results.point_of(result, entry, ANSWERS)
        if point:
            places[level["name"]] = results.axis(point, "footprint")
            value = entry["value"] / 1e9
            style.callout(axes, places[level["name"]], value, f"{level['name']} {style.number_text(value)} GB/s")
    return places


def capacity_marks(result):
    """Stated sizes only: boundaries are found where the map says. A level of every SM shows at the size of all of them together."""
    totals = result["context"]["device"]["capacities"]
    marks = []
    for level, described in results.levels(result):
        if described.get("family") != "cache":
            continue
        # A CPU's curve may run on one core of many; a GPU's always runs on all.
        total = totals.get(level["name"].lower() + "_total") if results.core_word(result) == "SM" else None
        stated = total or level["capacity"]["stated_bytes"]
        name = f"{level['name']} of all SMs" if total else level["name"]
        marks.append({"name": name, "stated_bytes": stated, "found_bytes": None, "low_bytes": None, "high_bytes": None})
    return marks
