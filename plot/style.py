"""How every figure looks: colours, marks, axes, caption, and files that are equal for equal input."""

import math

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
from matplotlib import patheffects, ticker  # noqa: E402

# Okabe and Ito: told apart by every kind of colour vision. Yellow is left out: too faint on white.
COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"]
MARKS = ["o", "s", "^", "D", "v", "P", "X"]  # never colour alone
LINES = ["-", "--", ":", "-."]
HEAT_MAP = "cividis"
INK = "#222222"
FAINT = "#8a8a8a"
BAND = "#e8e8e8"

SETTINGS = {
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": FAINT,
    "axes.spines.top": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#e6e6e6",
    "grid.linewidth": 0.6,
    "xtick.color": INK,
    "ytick.color": INK,
    "legend.frameon": True,
    "legend.framealpha": 0.92,
    "legend.edgecolor": "#dddddd",
    "legend.fontsize": 8.5,
    "lines.linewidth": 1.1,
    "lines.markersize": 4.2,
    "image.cmap": HEAT_MAP,
    "svg.hashsalt": "memory map",  # names of SVG elements do not change from run to run
    "svg.fonttype": "path",
    "savefig.dpi": 160,
}


def size_text(size_bytes):
    """1536 -> "1.5 KiB"."""
    names = ["B", "KiB", "MiB", "GiB", "TiB"]
    size = float(size_bytes)
    while abs(size) >= 1024 and len(names) > 1:
        size /= 1024
        names.pop(0)
    return f"{size:.3g} {names[0]}" if size < 1000 else f"{size:.0f} {names[0]}"


def between(low_bytes, high_bytes):
    """ "203-256 KiB"."""
    low, high = size_text(low_bytes), size_text(high_bytes)
    return (low.split()[0] if low.split()[1] == high.split()[1] else low) + "-" + high


def figure(title, subtitle, caption):
    """A figure and its axes, with room above for the marks of capacities and below for the caption."""
    plt.rcParams.update(SETTINGS)
    fig = plt.figure(figsize=(9.6, 5.8))
    axes = fig.add_axes([0.075, 0.175, 0.85, 0.585])
    fig.text(0.075, 0.955, title, fontsize=13, fontweight="bold", va="center")
    fig.text(0.075, 0.915, subtitle, fontsize=9, color="#555555", va="center")
    fig.text(0.075, 0.018, caption, fontsize=7.5, color="#555555", va="bottom", linespacing=1.5)
    return fig, axes


def size_axis(axes, low_bytes, high_bytes, label):
    """x in powers of two, labelled in KiB and MiB; at most a dozen labels."""
    axes.set_xscale("log", base=2)
    axes.set_xlim(low_bytes / 1.35, high_bytes * 1.35)
    powers = range((int(low_bytes) - 1).bit_length(), int(high_bytes).bit_length())
    step = max(1, -(-len(powers) // 12))
    shown = [power for power in powers if power % step == 0]
    axes.xaxis.set_major_locator(ticker.FixedLocator([2**power for power in shown]))
    axes.xaxis.set_major_formatter(ticker.FuncFormatter(lambda size, _: size_text(size)))
    axes.xaxis.set_minor_locator(ticker.FixedLocator([2**power for power in powers]))
    axes.xaxis.set_minor_formatter(ticker.NullFormatter())
    axes.set_xlabel(label)


def number_text(value):
    """Four significant digits, without an exponent."""
    digits = max(0, 3 - math.floor(math.log10(abs(value)))) if value else 0
    return f"{value:.{digits}f}" if digits else f"{value:.0f}"


def log_axis(axis, steps):
    """Equal ratios look equal, and the slowest level can still be read beside the fastest."""
    axis.set_major_locator(ticker.LogLocator(base=10, subs=(1, 2, 5)) if steps == "1-2-5" else ticker.LogLocator(base=2))
    axis.set_major_formatter(ticker.FuncFormatter(lambda value, _: f"{value:g}"))
    axis.set_minor_locator(ticker.NullLocator())


def second_axis(axes, factor, label):
    """The same points in another unit, to the right: other = factor x this."""
    other = axes.twinx()
    if axes.get_yscale() == "log":
        other.set_yscale("log")
        log_axis(other.yaxis, "doubling")
    low, high = axes.get_ylim()
    other.set_ylim(low * factor, high * factor)
    other.set_ylabel(label)
    other.grid(False)
    return other


def stretches(points):
    """Runs of neighbours that a line may join: where more than a factor of four lies between two, nobody knows the course."""
    found = [points[:1]]
    for before, point in zip(points, points[1:]):
        if point[0] > 4.01 * before[0]:
            found.append([])
        found[-1].append(point)
    return found


def series(axes, points, number, style_number, label):
    """One curve: a thin line, points by status, bars for the intervals. `points`: [(x, value, low, high, status)]. Returns
    its key for legend()."""
    colour = COLOURS[number % len(COLOURS)]
    mark = MARKS[number % len(MARKS)]
    line = LINES[style_number % len(LINES)]
    for stretch in stretches(points):
        axes.plot([p[0] for p in stretch], [p[1] for p in stretch], line, color=colour, alpha=0.55, zorder=2)
    bars = [p for p in points if p[2] is not None and p[3] is not None]
    if bars:
        low = [max(0.0, p[1] - p[2]) for p in bars]
        high = [max(0.0, p[3] - p[1]) for p in bars]
        axes.errorbar([p[0] for p in bars], [p[1] for p in bars], yerr=[low, high], fmt="none", ecolor=colour, elinewidth=1, capsize=2, zorder=3)
    good = [p for p in points if p[4] == "ok"]
    rest = [p for p in points if p[4] != "ok"]
    filled = colour if style_number % 2 == 0 else "white"
    axes.plot([p[0] for p in good], [p[1] for p in good], mark, color=colour, markerfacecolor=filled, linestyle="none", zorder=4)
    axes.plot([p[0] for p in rest], [p[1] for p in rest], mark, color=colour, markerfacecolor="white", markersize=7, linestyle="none", zorder=4)
    axes.plot([p[0] for p in rest], [p[1] for p in rest], "x", color=INK, markersize=5, linestyle="none", zorder=5)
    return plt.Line2D([], [], color=colour, marker=mark, linestyle=line, markerfacecolor=filled), label


def status_keys(axes, points, missing):
    """Marks planned points without a number on the foot of the figure; returns the legend's words for all that is not ok."""
    keys = []
    doubted = sorted({point[4] for point in points} - {"ok"})
    if doubted:
        ring = plt.Line2D([], [], color=FAINT, marker="o", markersize=7, markerfacecolor="white", linestyle="none")
        cross = plt.Line2D([], [], color=INK, marker="x", markersize=5, linestyle="none")
        keys.append(((ring, cross), " or ".join(doubted)))
    sizes = [size for some in missing.values() for size in some]
    if sizes:
        words = ", ".join(f"{len(some)} {status}" for status, some in sorted(missing.items()))
        foot = axes.get_xaxis_transform()
        axes.plot(sizes, [0] * len(sizes), "x", color=INK, markersize=6, markeredgewidth=1.4, clip_on=False, zorder=6, transform=foot)
        keys.append((plt.Line2D([], [], color=INK, marker="x", markeredgewidth=1.4, linestyle="none"), f"no number: {words}"))
    return keys


def share_of(axes, x):
    """Where x lies on its logarithmic axis: 0 is the left end, 1 the right."""
    low, high = axes.get_xlim()
    return math.log(x / low) / math.log(high / low)


def callout(axes, x, y, text):
    """Words with a short leader to a point of a curve."""
    share = share_of(axes, x)
    room = min(share, 1 - share) * axes.get_window_extent().width * 72 / axes.figure.dpi - 4
    side, shift = ("center", 0) if room > 55 else ("right", min(24, room)) if share > 0.5 else ("left", -min(24, room))  # inside the axes
    axes.annotate(text, (x, y), (shift, 16), textcoords="offset points", ha=side, va="bottom", fontsize=8.5, fontweight="bold", color=INK, zorder=7, path_effects=[patheffects.withStroke(linewidth=2.5, foreground="white")], arrowprops={"arrowstyle": "-", "color": FAINT, "linewidth": 0.8, "shrinkB": 3})


def legend(axes, keys, place):
    """`keys`: [(what it looks like, words)]."""
    axes.legend([key for key, _ in keys], [words for _, words in keys], loc=place)


def capacities(axes, marks):
    """Light verticals with words above the axes. `marks`: [{name, stated_bytes, found_bytes, low_bytes, high_bytes}]."""
    low, high = axes.get_xlim()
    places = [(mark["stated_bytes"] or mark["found_bytes"] or 0, mark) for mark in marks]
    places = sorted((one for one in places if low < one[0] < high), key=lambda one: one[0])
    span = math.log2(high / low)
    for index, (at, mark) in enumerate(places):
        crowded = [math.log2(max(at, other) / min(at, other)) < 0.17 * span for other in (places[i][0] for i in (index - 1, index + 1) if 0 <= i < len(places))]
        after = index > 0 and crowded[0]
        before = index + 1 < len(places) and crowded[-1]
        side = "left" if after else "right" if before else "center"  # neighbours lean away from each other
        words = [mark["name"]]
        if mark["stated_bytes"]:
            axes.axvline(mark["stated_bytes"], color=FAINT, linewidth=1, linestyle=(0, (1, 2)), zorder=1)
            words.append("stated " + size_text(mark["stated_bytes"]))
        if mark["found_bytes"]:
            axes.axvline(mark["found_bytes"], color=FAINT, linewidth=1.2, zorder=1)
            words.append("found " + size_text(mark["found_bytes"]))
        if mark["low_bytes"] and mark["high_bytes"]:
            axes.axvspan(mark["low_bytes"], mark["high_bytes"], color=BAND, zorder=0)
            words.append(f"({between(mark['low_bytes'], mark['high_bytes'])})")
        shift = {"left": 4, "right": -4, "center": 0}[side]
        axes.annotate("\n".join(words), (at, 1), (shift, 5), xycoords=("data", "axes fraction"), textcoords="offset points", ha=side, va="bottom", fontsize=8, color="#555555", linespacing=1.3)


def ceiling(axes, value, text, beside):
    """A physical limit, dashed, named at its right end, or left or right of the callout at x = `beside`."""
    axes.axhline(value, color=INK, linewidth=1, linestyle=(0, (6, 3)), zorder=1)
    share = share_of(axes, beside) if beside else 1
    side, shift = ("left", 70) if share < 0.35 else ("right", -70 if beside else -6)
    axes.annotate(text, (share, value), (shift, 4.5), xycoords=("axes fraction", "data"), textcoords="offset points", ha=side, fontsize=8, color=INK, path_effects=[patheffects.withStroke(linewidth=2.5, foreground="white")])


def save(fig, folder, name):
    """Writes NAME.svg and NAME.png without dates or versions: equal input, equal bytes. Returns the paths."""
    paths = [folder / f"{name}.svg", folder / f"{name}.png"]
    fig.savefig(paths[0], metadata={"Date": None, "Creator": None})
    fig.savefig(paths[1], metadata={"Software": None})
    plt.close(fig)
    return paths
