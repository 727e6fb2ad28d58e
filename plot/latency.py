"""Latency against footprint: where the steps are, and how high."""

import result as results
import style

ANSWERS = "level_latency"


def draw(result):
    """The figure, or None when the file holds no such curve."""
    ns_per_cycle = results.unit_ratio(result, ANSWERS, "latency", "cycles", "ns")
    # Where the clock varied, one axis cannot serve both units, and ns needs no clock to be compared.
    unit = "cycles" if ns_per_cycle else "ns"
    curves = results.curves(result, ANSWERS, "latency", unit)
    if not curves:
        return None
    core = results.core_word(result)
    clock = f"{core} clock {1000 / ns_per_cycle:.0f} MHz" if ns_per_cycle else f"{core} clock varied between points: ns only"
    fig, axes = style.figure(
        results.title("Latency against footprint", result),
        f"One dependent load at a time, in random order, on one {core}. {results.how_summarised(result)} Lower is better.",
        results.caption(result, clock),
    )
    missing = results.without_number(result, ANSWERS, "latency", unit)
    keys = [style.series(axes, points, number, 0, results.label(key, result)) for number, (key, points) in enumerate(curves.items())]
    everything = [point for points in curves.values() for point in points]
    sizes = [point[0] for point in everything] + [size for some in missing.values() for size in some]
    style.size_axis(axes, min(sizes), max(sizes), "Footprint of the chase")
    axes.set_ylim(0, 1.15 * max(point[3] or point[1] for point in everything))
    axes.set_ylabel(f"Latency (cycles of the {core} clock)" if ns_per_cycle else "Latency (ns)")
    if ns_per_cycle:
        style.second_axis(axes, ns_per_cycle, f"Latency (ns, at {1000 / ns_per_cycle:.0f} MHz)")
    style.capacities(axes, [capacity_mark(level) for level, described in results.levels(result) if described.get("family") == "cache"])
    label_levels(axes, result, unit)
    keys += style.status_keys(axes, everything, missing)
    style.legend(axes, keys, "upper left")
    return fig


def capacity_mark(level):
    capacity = level["capacity"]
    return {
        "name": level["name"],
        "stated_bytes": capacity["stated_bytes"],
        "found_bytes": capacity["found_bytes"],
        "low_bytes": capacity["found_low_bytes"],
        "high_bytes": capacity["found_high_bytes"],
    }


def label_levels(axes, result, unit):
    """The map's number of each level, at a point that it comes from."""
    for level, _ in results.levels(result):
        entry = next((one for one in level["latency"] if one["unit"] == unit), None)
        point = results.point_of(result, entry, ANSWERS)
        if point:
            style.callout(axes, results.axis(point, "footprint"), entry["value"], f"{level['name']} {style.number_text(entry['value'])} {unit}")
