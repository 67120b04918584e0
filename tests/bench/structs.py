"""The structs that bench/libpredt.py passes to the library are those of predt.h.

structs.py ABI_LAYOUT     the program of tests/abi, which prints the header's layout"""

import ctypes
import os
import subprocess
import sys
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, "bench"))

import libpredt  # noqa: E402

STRUCTS = {
    "predt_options": libpredt.Options,
    "predt_globe": libpredt.Globe,
    "predt_window": libpredt.Window,
    "predt_grid": libpredt.Grid,
    "predt_outputs": libpredt.Outputs,
}


class Structs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        lines = subprocess.run([LAYOUT], capture_output=True, text=True, check=True).stdout
        cls.members, cls.values = {name: {} for name in STRUCTS}, {}
        for kind, name, *numbers in map(str.split, lines.splitlines()):
            struct, _, member = name.partition(".")
            if kind == "member" and struct in STRUCTS:
                cls.members[struct][member] = tuple(map(int, numbers))
            elif kind == "value":
                cls.values[name] = int(numbers[0])

    def test_each_struct_of_the_module_is_compared(self):
        passed = {
            value
            for value in vars(libpredt).values()
            if isinstance(value, type) and issubclass(value, ctypes.Structure)
        }
        self.assertEqual(passed, set(STRUCTS.values()))

    def test_members_have_the_names_places_and_sizes_of_the_header(self):
        for name, struct in STRUCTS.items():
            for member, _ in struct._fields_:
                field = getattr(struct, member)
                self.assertEqual(
                    (field.offset, field.size),
                    self.members[name].get(member),
                    f"{name}.{member}",
                )

    def test_members_follow_one_another_as_in_the_header(self):
        for name, struct in STRUCTS.items():
            header = list(self.members[name])
            ours = [member for member, _ in struct._fields_]
            self.assertEqual(ours, header[: len(ours)], name)

    def test_a_struct_that_lacks_members_ends_where_the_next_begins(self):
        for name, struct in STRUCTS.items():
            places = sorted(place for place, _ in self.members[name].values())
            places.append(max(sum(place) for place in self.members[name].values()))
            self.assertIn(ctypes.sizeof(struct), places, name)

    def test_label_types_have_the_values_of_the_header(self):
        self.assertEqual(libpredt.LABEL_NONE, self.values["PREDT_LABEL_NONE"])
        self.assertEqual(libpredt.LABEL_32, self.values["PREDT_LABEL_32"])
        self.assertEqual(libpredt.METRIC_MAP, self.values["PREDT_METRIC_MAP"])


if __name__ == "__main__":
    LAYOUT = sys.argv.pop()
    unittest.main()
