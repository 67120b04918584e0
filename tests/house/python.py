"""Whether flake8 has nothing to say of any Python file; .flake8 has its limits."""
import os
import shutil
import subprocess
import sys

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))
FOLDERS = ("bench", "proofs", "qgis", "sample_rasters", "scripts", "tests")
SKIPPED = 77


def main():
    program = shutil.which("flake8")
    if not program:
        print("flake8 is not installed")
        return SKIPPED
    return subprocess.run([program, "--jobs", "1", *FOLDERS], cwd=ROOT).returncode


if __name__ == "__main__":
    sys.exit(main())
