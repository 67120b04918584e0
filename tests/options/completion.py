"""The completion scripts: each shell that is installed reads its own, and bash and fish complete with them."""
import os
import re
import shutil
import subprocess
import unittest

from options_case import ROOT, of

SCRIPTS = {"bash": "gdal_predt.bash", "zsh": "_gdal_predt", "fish": "gdal_predt.fish"}
ENVIRONMENT = {**os.environ, "PATH": os.path.dirname(os.environ["PREDT_COMMAND"]) + os.pathsep + os.environ["PATH"]}


def script(shell):
    return os.path.join(ROOT, "completions", SCRIPTS[shell])


def lines(*command):
    run = subprocess.run(command, capture_output=True, text=True, env=ENVIRONMENT, check=True)
    return run.stdout.split("\n")[:-1], run.stderr


class Completion(unittest.TestCase):
    def test_the_scripts_are_sound(self):
        for shell in SCRIPTS:
            if shutil.which(shell):
                with self.subTest(shell=shell):
                    self.assertEqual(lines(shell, "-n", script(shell)), ([], ""))

    def test_every_shell_knows_every_option(self):
        for shell in SCRIPTS:
            with open(script(shell)) as file:
                words = set(re.sub(r"""[]['"*]""", " ", file.read()).split())
            for option in of("command"):
                for name in option["command"].split():
                    known = {f"-{name}", f"--{name}"} & words or (shell == "fish" and name in words)
                    self.assertTrue(known, f"{shell} does not know {name}")


@unittest.skipUnless(shutil.which("bash"), "bash is not installed")
class Bash(unittest.TestCase):
    def complete(self, *words):
        """What is offered for the last word, which the cursor stands behind."""
        text = (f"source {script('bash')}; COMP_WORDS=(gdal_predt \"$@\"); COMP_CWORD=$#; _gdal_predt; "
                "(( ${#COMPREPLY[@]} == 0 )) || printf '%s\\n' \"${COMPREPLY[@]}\"")
        found, complaints = lines("bash", "-c", text, "bash", *words)
        self.assertEqual(complaints, "")
        return found

    def test_names(self):
        self.assertEqual(self.complete("-distu"), ["-distunits"])
        self.assertEqual(self.complete("-json", "--max"), ["--max-distance"])
        self.assertGreaterEqual(len(self.complete("-")), len(of("command")))

    def test_words_of_an_option(self):
        self.assertEqual(self.complete("-distunits", "M"), ["METRE", "MILE"])
        self.assertEqual(self.complete("--distance-units", "K"), ["KM"])
        self.assertEqual(self.complete("--distance-units", "=", "K"), ["KM"])
        self.assertEqual(self.complete("-use_input_nodata", ""), ["YES", "NO"])
        self.assertEqual(self.complete("--use-input-nodata", "="), ["YES", "NO"])
        self.assertEqual(self.complete("-ot", "Float"), ["Float32", "Float64"])
        self.assertEqual(self.complete("-threads", ""), ["ALL_CPUS"])

    def test_words_that_the_command_knows(self):
        self.assertEqual(self.complete("-engine", "cp"), ["cpu"])
        self.assertIn("auto", self.complete("-engine", ""))
        self.assertEqual(self.complete("-of", "GTif"), ["GTiff"])

    def test_files_are_left_to_bash(self):
        for words in ([""], ["-allocation", ""], ["src.tif", "d"], ["-maxdist", "5"]):
            self.assertEqual(self.complete(*words), [])


@unittest.skipUnless(shutil.which("fish"), "fish is not installed")
class Fish(unittest.TestCase):
    def complete(self, line):
        found, complaints = lines("fish", "--no-config", "-c", f"source {script('fish')}; complete -C '{line}'")
        self.assertEqual(complaints, "")
        return [text.split("\t")[0] for text in found]

    def test_names_and_words(self):
        self.assertIn("-distunits", self.complete("gdal_predt -distu"))
        self.assertEqual(self.complete("gdal_predt -distunits M"), ["METRE", "MILE"])
        self.assertEqual(self.complete("gdal_predt -engine cp"), ["cpu"])


if __name__ == "__main__":
    unittest.main()
