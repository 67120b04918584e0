"""bench/papers with made-up engines: what the measuring programs print becomes tables, figures and
verdicts, those of the GPU too, which a machine without one never sees."""

import os
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest
import xml.dom.minidom

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.dont_write_bytecode = True
sys.path[:0] = [os.path.join(ROOT, "bench", "papers"), os.path.join(ROOT, "bench")]

import claims  # noqa: E402
import judge  # noqa: E402
import results  # noqa: E402
import runs  # noqa: E402
import tables  # noqa: E402

# Both programs, with times that follow from the size: so many nanoseconds a pixel, and for the
# point-by-point methods a target, too.
ENGINES = r"""#!{python}
import re, sys
words, side, pattern, budget = sys.argv[1:], 0, "", 0
cost = {{"breu": 30, "cuda-man": 4, "cuda-black": 3, "cuda-pr-edt": 1, "cpu": 5}}
while words:
    word = words.pop(0)
    if word[0] != "-":
        name = word.split(":")[0]
        amount = float(re.findall("[0-9.]+", pattern)[0])
        targets = int(amount * side * side / 100) if "%" in pattern else int(amount)
        ms = cost.get(name, 10) * side * side / 1e6
        if "all" in name or "points" in name:
            ms = (0.001 if "cuda" in name else 0.01) * side * side * targets / 1e6
        if "contiguous" in word:
            ms *= 2
        steps = "candidates %f ms, proximate sets %f ms, distances %f ms"
        steps %= ms * .05, ms * .8, ms * .15
        log = ""
        if name == "breu":
            log = "breu: %d rows, %d targets in their lists going down, %d going up"
            log %= side, side * 700, side * 800
        elif name.startswith("cuda-"):
            log = "%s: 1 strips; %s; %d bytes on the device" % (name, steps, 20 * side * side)
        wrong = 5 if name in ("voronoi-cityblock", "voronoi-octagonal", "voronoi-chessboard") else 0
        start, worst = '"%s",%s,%d,%d' % (word, pattern, side, targets), 1.4 if wrong else 1
        print('%s,0,%f,%d,%d,%f,"%s"' % (start, ms, side, wrong, worst, log))
        for run in (1, 2):
            print('%s,%d,%f,,,,"%s"' % (start, run, ms * run, log))
        continue
    value = words.pop(0)
    side = int(value) if word == "-n" else side
    pattern = value if word == "-p" else pattern
"""
FAST = r"""#!{python}
import sys
at = sys.argv.index("-r") + 2
print("a device\n")
print("| pattern | size | engine | ms | spread | ns/pixel | times the floor | device MiB |")
print("|---|---|")
for pattern in sys.argv[at:]:
    print("| %s | 9 x 9 | cuda | 0.250 | 1 %% | 0.1 | 4.0 | 64 |" % pattern)
"""


def program(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w") as file:
        file.write(text.format(python=sys.executable))
    os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)


class Papers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        program(cls.folder.name, "predt_engine_bench", ENGINES)
        program(cls.folder.name, "predt_gpu_bench", FAST)
        cls.out = os.path.join(cls.folder.name, "out")
        cls.run_papers("--programs", cls.folder.name)
        cls.results = results.Results(cls.out)
        cls.verdicts = {claim.text: found for claim, *found in claims.verdicts(cls.results)}

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def run_papers(cls, *more):
        subprocess.run(
            [sys.executable, os.path.join(ROOT, "bench", "papers"), "--out", cls.out, *more],
            check=True,
            stderr=subprocess.DEVNULL,
        )

    def verdict(self, words):
        return next(found for claim, found in self.verdicts.items() if words in claim)

    def test_a_log_of_several_queries_is_summed_by_step(self):
        log = (
            "cuda-pr-edt: 2 strips; candidates 0.100 ms, proximate sets 2.500 ms, "
            "distances 1.000 ms; 123 bytes on the device | "
            "cuda-pr-edt: 1 strips; candidates 0.200 ms, proximate sets 0.500 ms, "
            "distances 1.000 ms; 99 bytes on the device"
        )
        steps = runs.steps_of(log)
        self.assertEqual(list(steps), ["candidates", "proximate sets", "distances"])
        for name, ms in zip(steps, (0.3, 3.0, 2.0), strict=True):
            self.assertAlmostEqual(steps[name], ms)

    def test_tables_have_the_measured_values(self):
        lines = tables.table1(self.results).splitlines()
        self.assertIn(
            "| 1024 x 1024, 1 % | 59.77 | **47.19 (2)** | 40.58 | **4.19 (2)** | 12.40 | "
            "**3.15 (2)** | 7.68 | **1.05 (2)** | **0.250** | **7.86 (2)** | **7.86 (2)** |",
            lines,
        )
        self.assertNotIn("not measured", tables.table1(self.results))
        self.assertIn(
            "| 1024 x 1024 | 17 | **5.00** | 624 | **20.00** | 34 | **20.00** | 258 | **20.00** | "
            "**64.00** | **5.00** |",
            tables.table2(self.results),
        )

    def test_times_are_those_of_the_device_where_there_is_one(self):
        self.assertEqual(results.time_of(self.results.pr_edt("cuda", 1024, 1)), 0.25)
        self.assertIsNone(
            results.time_of(
                {"engine": "cuda-man", "missing": None, "device_ms": None, "wall_ms": 3.0}
            )
        )

    def test_every_claim_is_judged(self):
        known = (judge.HOLDS, judge.PART, judge.NOT, judge.INCOMPARABLE)
        for claim, (verdict, _) in self.verdicts.items():
            self.assertIn(verdict, known, claim)

    def test_verdicts_follow_the_values(self):
        self.assertEqual(self.verdict("consistently outperforms")[0], judge.HOLDS)
        self.assertEqual(self.verdict("same result")[0], judge.PART)
        self.assertEqual(self.verdict("hardly depends")[0], judge.NOT)
        self.assertEqual(self.verdict("strided pixels")[0], judge.HOLDS)
        linear, measured = self.verdict("linear in the number")
        self.assertEqual(linear, judge.PART)
        self.assertIn("cuda-voronoi-all, strided: 1.00;", measured)
        self.assertIn("cuda-voronoi-grow, strided: 0.00;", measured)

    def test_what_depends_on_the_machine_is_not_comparable_here(self):
        self.assertEqual(self.verdict("up to 52")[0], judge.INCOMPARABLE)
        self.assertEqual(
            self.verdict("this share of the time"),
            [
                judge.INCOMPARABLE,
                "candidates 5.0 %, proximate sets 80.0 %, distances 15.0 % (8192 x 8192)",
            ],
        )

    def test_figures_are_well_formed_and_hold_every_engine(self):
        for name in ("figure7", "figure8", "figure9", "voronoi_sides", "voronoi_targets"):
            page = xml.dom.minidom.parse(os.path.join(self.out, name + ".svg"))
            for text in page.getElementsByTagName("text"):
                self.assertFalse(text.getAttribute("text-decoration"), name)
        figure = xml.dom.minidom.parse(os.path.join(self.out, "figure8.svg"))
        self.assertEqual(len(figure.getElementsByTagName("polyline")), 4 * 6)

    def test_the_page_in_docs_is_what_its_csv_files_give(self):
        docs = os.path.join(ROOT, "docs", "reproduction")
        copy = os.path.join(self.folder.name, "docs.md")
        shutil.copy(docs + ".md", copy)
        tables.write(results.Results(docs), copy)
        with open(docs + ".md") as page, open(copy) as again:
            self.assertEqual(again.read(), page.read())

    def test_drawing_again_changes_nothing(self):
        with open(self.out + ".md") as file:
            before = file.read()
        self.run_papers("--draw")
        with open(self.out + ".md") as file:
            self.assertEqual(file.read(), before)


if __name__ == "__main__":
    unittest.main()
