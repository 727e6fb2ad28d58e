"""What the program writes is what results/result.schema.json says, and every key that it writes is described there."""

import copy
import gzip
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(os.environ.get("MICRO_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[3]))
EXAMPLE = os.environ.get("MICRO_REPORT_EXAMPLE", "")
REQUIRED = os.environ.get("REQUIRE_TOOLS") == "1"

try:
    import jsonschema
except ImportError:
    if REQUIRED:
        raise
    jsonschema = None


def closed(schema):
    """The schema with no keys allowed but those that it describes."""
    if isinstance(schema, list):
        return [closed(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    made = {key: closed(value) for key, value in schema.items()}
    if made.get("type") == "object" and "properties" in made:
        made["additionalProperties"] = False
    return made


def loosened(schema):
    """Without what restricts the content of a value beyond its type: random content has any."""
    if isinstance(schema, list):
        return [loosened(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    return {key: loosened(value) for key, value in schema.items() if key not in ("pattern", "minimum", "if", "then")}


@unittest.skipUnless(jsonschema, "jsonschema is not installed (Debian: python3-jsonschema)")
class Schema(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.schema = json.loads((ROOT / "results/result.schema.json").read_text())
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        names = ["example.json", "example.json.gz"] + [f"random-{seed}.json" for seed in range(1, 31)]
        files = [pathlib.Path(cls.folder.name) / name for name in names]
        subprocess.run([EXAMPLE, *map(str, files)], check=True)
        cls.example = json.loads(files[0].read_text())
        cls.packed = json.loads(gzip.decompress(files[1].read_bytes()))
        cls.random = [json.loads(file.read_text(), parse_constant=cls.refuse) for file in files[2:]]

    @staticmethod
    def refuse(word):
        raise ValueError(f"{word} is not JSON")

    def complaints(self, schema, instance):
        found = jsonschema.Draft202012Validator(schema).iter_errors(instance)
        return [f"{error.json_path}: {error.message[:200]}" for error in found]

    def test_is_itself_valid(self):
        jsonschema.Draft202012Validator.check_schema(self.schema)

    def test_describes_every_key_of_a_full_result(self):
        self.assertEqual(self.complaints(closed(self.schema), self.example), [])

    def test_describes_any_result_that_the_types_allow(self):
        schema = loosened(closed(self.schema))
        for seed, result in enumerate(self.random, 1):
            self.assertEqual(self.complaints(schema, result), [], f"seed {seed}")

    def test_allows_keys_of_later_programs(self):
        result = copy.deepcopy(self.example)
        result["later"] = result["map"]["later"] = result["measurements"][0]["later"] = 1
        self.assertEqual(self.complaints(self.schema, result), [])

    def test_a_compressed_file_holds_the_same(self):
        self.assertEqual(self.packed, self.example)

    def test_refuses_what_no_run_writes(self):
        small = dict(self.example, measurements=self.example["measurements"][:2], benchmarks=self.example["benchmarks"][:2])
        self.assertEqual(self.complaints(self.schema, small), [])

        def spoilt(change):
            result = copy.deepcopy(small)
            change(result)
            return self.complaints(self.schema, result)

        changes = {
            "another version": lambda r: r.update(schema_version=2),
            "no map": lambda r: r.pop("map"),
            "a level without capacity": lambda r: r["map"]["levels"][0].pop("capacity"),
            "a capacity of 0": lambda r: r["map"]["levels"][0]["capacity"].update(found_bytes=0),
            "an unknown status": lambda r: r["measurements"][0].update(status="good"),
            "a failed point without a reason": lambda r: r["measurements"][0].update(status="failed", reason=""),
            "a hash that is none": lambda r: r["context"]["config"].update(sha256="abc"),
            "text for a number": lambda r: r["measurements"][0]["summary"][0].update(value="4"),
            "a benchmark row in seconds": lambda r: r["benchmarks"][0].update(time_unit="s"),
            "a date of another form": lambda r: r["context"].update(started_utc="yesterday"),
        }
        for name, change in changes.items():
            with self.subTest(name):
                self.assertNotEqual(spoilt(change), [])


if __name__ == "__main__":
    unittest.main()
