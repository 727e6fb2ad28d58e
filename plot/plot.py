#!/usr/bin/env python3
"""Draws a result file: plot.py FILE [--out DIR] writes latency and bandwidth figures as SVG and PNG."""

import argparse
import pathlib
import sys

OK, UNAVAILABLE, USAGE = 0, 3, 64


class Parser(argparse.ArgumentParser):
    def error(self, message):
        print(f"{self.prog}: {message}", file=sys.stderr)
        sys.exit(USAGE)


def parse(arguments):
    parser = Parser(prog="plot.py", description="Latency against footprint and bandwidth against working set, as SVG and PNG.", epilog="example: plot.py out/nvidia-h200_3f2a1b0c_20261130T201500Z.json --out figures")
    parser.add_argument("file", metavar="FILE", type=pathlib.Path, help="a result: .json or .json.gz")
    parser.add_argument("--out", metavar="DIR", type=pathlib.Path, help="where the figures go (made if missing); default: beside FILE")
    return parser.parse_args(arguments)


def stem(file):
    """The name of FILE without .json and .gz."""
    name = file.name
    for suffix in (".gz", ".json"):
        name = name[: -len(suffix)] if name.endswith(suffix) else name
    return name


def run(file, folder):
    """Draws what FILE holds; prints the path of every figure. Returns the exit code."""
    try:
        import bandwidth
        import latency
        import style
    except ImportError as error:
        print(f"plot.py: {error.name} is not installed (Debian: apt-get install python3-matplotlib)", file=sys.stderr)
        return UNAVAILABLE
    import result as results

    try:
        result = results.read(file)
        figures = {"latency": latency.draw(result), "bandwidth": bandwidth.draw(result)}
    except results.Refused as error:
        print(f"plot.py: {error}", file=sys.stderr)
        return USAGE
    except (KeyError, TypeError, AttributeError) as error:
        print(f"plot.py: {file} is no complete result file: {error!r}", file=sys.stderr)
        return USAGE
    if not any(figures.values()):
        print(f"plot.py: {file} holds no curve to draw: no point of level_latency or level_bandwidth has a number", file=sys.stderr)
        return USAGE
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, figure in figures.items():
            if figure is None:
                print(f"plot.py: no {name} curve in {file}", file=sys.stderr)
                continue
            for path in style.save(figure, folder, f"{stem(file)}_{name}"):
                print(path)
    except OSError as error:
        print(f"plot.py: cannot write {error.filename or folder}: {error.strerror}", file=sys.stderr)
        return UNAVAILABLE
    return OK


def main(arguments=None):
    wishes = parse(arguments)
    return run(wishes.file, wishes.out or wishes.file.parent)


if __name__ == "__main__":
    sys.exit(main())
