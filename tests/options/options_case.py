"""What the tests of the options share: the table, as print_options says it, and a value for each option."""
import json
import os
import subprocess

OPTIONS = json.loads(subprocess.run([os.environ["PREDT_OPTIONS"]], check=True, capture_output=True, text=True).stdout)
ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))

GOOD = {"list": "1,3:5", "file": "a.tif", "pair": "COMPRESS=LZW", "whole": "3", "number": "2.5",
        "nodata": "nan", "size": "1G", "threads": "2"}


def of(who):
    return [option for option in OPTIONS if option[who]]


def good_value(option):
    """A value that the option takes."""
    if option["command"] and option["command"].startswith("engine"):
        return "cpu"
    return option["choices"][0] if option["choices"] else GOOD.get(option["kind"], "GTiff")


def spellings(option):
    """Each spelling of the command, with one dash and with two."""
    return [dash + name for name in option["command"].split() for dash in ("-", "--")]
