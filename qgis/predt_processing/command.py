"""gdal_predt: where it is, and one run of it with live progress, cancel, and an error in words."""
import json
import os
import re
import shlex
import shutil
import subprocess
import time

from processing.core.ProcessingConfig import ProcessingConfig
from qgis.core import QgsProcessingException, QgsUnitTypes
from qgis.PyQt.QtCore import QCoreApplication, QProcess

from .repeat import command_line

SETTING = "PREDT_COMMAND"
NAME = "gdal_predt.exe" if os.name == "nt" else "gdal_predt"
HERE = os.path.dirname(os.path.abspath(__file__))
POLL = 50          # milliseconds
PATIENCE = 10      # seconds that the command has to clean up after itself when it is told to stop; it takes less than one
INTERRUPTED = 130  # what the command ends with when it is told to stop
NEEDED = (0, 1)    # the plug-in knows the options and the summary of this version's gdal_predt

UNITS = {"PIXEL": "pixels", "METRE": "metres", "KM": "kilometres", "FOOT": "feet", "US_FOOT": "US survey feet", "MILE": "miles",
         "NMI": "nautical miles", "GEO": "units of the CRS"}

translate = QCoreApplication.translate


# ---- Where it is ----

def is_program(path):
    return os.path.isfile(path) and os.access(path, os.X_OK)


def find_command():
    """Path of gdal_predt, or None: what the setting names, and nothing else if it names something; the PATH; this folder."""
    chosen = str(ProcessingConfig.getSetting(SETTING) or "").strip()
    if chosen:
        return chosen if is_program(chosen) else None
    beside = os.path.join(HERE, NAME)
    return shutil.which(NAME) or (beside if is_program(beside) else None)


def why_missing():
    """What to do where find_command() has found nothing."""
    chosen = str(ProcessingConfig.getSetting(SETTING) or "").strip()
    if chosen:
        return translate("predt", "{} is not a program that can be run. Correct the path of gdal_predt in Settings > Options > "
                                  "Processing > Providers > predt.").format(chosen)
    return translate("predt", "The command gdal_predt was not found. Build and install predt (cmake -S . -B build && cmake "
                              "--build build && sudo cmake --install build in its source folder), then put gdal_predt on the "
                              "PATH, or into {}, or name it in Settings > Options > Processing > Providers > "
                              "predt.").format(HERE)


# ---- Which version it is ----

_versions = {}  # what a file said, as long as it is the same file


def said_by(command):
    """(exit code, what `gdal_predt -version` says)."""
    stat = os.stat(command)
    key = (command, stat.st_mtime_ns, stat.st_size)
    if key not in _versions:
        hidden = {"creationflags": subprocess.CREATE_NO_WINDOW} if os.name == "nt" else {}
        try:
            run = subprocess.run([command, "-version"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT,
                                 timeout=30, **hidden)
            _versions[key] = run.returncode, run.stdout.decode("utf-8", "replace").strip()
        except (OSError, subprocess.TimeoutExpired) as problem:
            _versions[key] = -1, str(problem)
    return _versions[key]


def why_unfit(command):
    """A line if this program is not a gdal_predt that the plug-in can work with, or None."""
    code, said = said_by(command)
    version = re.search(r"gdal_predt (\d+)\.(\d+)(\.\d+)?", said)
    if code != 0 or not version:
        last = (said.splitlines() or [translate("predt", "nothing")])[-1]
        return translate("predt", "{0} cannot be used as gdal_predt. Asked for its version it says: "
                                  "{1}").format(command, last[:200])
    if tuple(map(int, version.groups()[:2])) < NEEDED:
        return translate("predt", "{0} is {1}, too old for this plug-in, which needs {2}.{3} or later: build and install it "
                                  "from the same source as the plug-in.").format(command, version.group(0), *NEEDED)
    return None


def fit_command():
    """Path of gdal_predt, seen to work; or an exception in one line."""
    command = find_command()
    problem = why_unfit(command) if command else why_missing()
    if problem:
        raise QgsProcessingException(problem)
    return command


# ---- What it says while it runs ----

class Progress:
    """Reads standard error as it comes: "0...10...20" moves the bar, every other line is a message.

    The command prints a mark each 2.5 %: 41 in all, of which every fourth is a number. A message in between ends the line of
    marks; the marks go on in the next line. Pieces may end anywhere, in the middle of a number or of a UTF-8 character."""
    MARKS = 40

    def __init__(self, on_percent, on_message):
        self.on_percent, self.on_message = on_percent, on_message
        self.line = b""
        self.marks = -1

    def feed(self, piece):
        before = self.marks
        for byte in piece:
            self.take(byte)
        if self.marks > before:
            self.on_percent(100.0 * min(self.marks, self.MARKS) / self.MARKS)

    def take(self, byte):
        if byte in b"\r\n":
            self.end_line()
        else:
            if self.in_marks() and (byte == ord(".") or chr(byte).isdigit() and not self.line[-1:].isdigit()):
                self.marks += 1
            self.line += bytes((byte,))

    def in_marks(self):
        return all(byte in b"0123456789." for byte in self.line)

    def end_line(self):
        is_marks = not self.line.replace(b" - done.", b"").strip(b"0123456789.")
        if self.line and not is_marks:
            self.on_message(self.line.decode("utf-8", "replace"))
        self.line = b""


class Messages:
    """Sorts the command's lines: warnings are shown as such; what it calls a failure is kept for the error, should the run
    fail; and so are other lines (of the dynamic linker, of a GDAL driver), should there be nothing better."""
    PREFIX, WARNING = "gdal_predt: ", "gdal_predt: warning: "

    def __init__(self, feedback):
        self.feedback = feedback
        self.failures, self.others = [], []

    def take(self, line):
        if line.startswith(self.WARNING):
            self.feedback.pushWarning(line[len(self.WARNING):])
        elif line.startswith(self.PREFIX):
            self.failures.append(line[len(self.PREFIX):])
        else:
            self.others.append(line)
            self.feedback.pushConsoleInfo(line)

    def failure(self):
        return " ".join(self.failures or self.others[-1:])


# ---- A run ----

def split_extra(text):
    """Words of a line of options, as a shell would take them; ValueError if a quote stays open."""
    lexer = shlex.shlex(text or "", posix=True, punctuation_chars=False)
    lexer.whitespace_split, lexer.commenters = True, ""
    if os.name == "nt":
        lexer.escape = ""  # a backslash separates folders there
    return list(lexer)


def run_command(arguments, feedback, told=None):
    """Runs gdal_predt; returns its summary (a dict), or None if the feedback was cancelled: then there is no output.

    told: a line for the log instead of the command's own, where that cannot be repeated since its files are temporary."""
    command = fit_command()
    if feedback.isCanceled():
        return None
    arguments = ["-json", *arguments]
    feedback.pushCommandInfo(command_line([command, *arguments])) if told is None else feedback.pushInfo(told)
    process, messages = QProcess(), Messages(feedback)
    process.setReadChannel(QProcess.ProcessChannel.StandardError)
    process.start(command, arguments)
    process.closeWriteChannel()
    process.waitForStarted()
    watch(process, Progress(feedback.setProgress, messages.take), feedback)
    if feedback.isCanceled() and process.exitCode() != 0:
        feedback.pushInfo(translate("predt", "Cancelled: gdal_predt was stopped, nothing was written."))
        return None
    check_end(command, process, messages)
    return json.loads(bytes(process.readAllStandardOutput()).decode("utf-8", "replace"))


def watch(process, progress, feedback):
    """Until the process has ended. Not QgsBlockingProcess: on the main thread (the Python console, qgis_process) it neither
    tells progress nor hears of cancel until the end."""
    stopping = None
    while process.state() != QProcess.ProcessState.NotRunning:
        process.waitForReadyRead(POLL) or process.waitForFinished(POLL)
        progress.feed(bytes(process.readAllStandardError()))
        if feedback.isCanceled() and stopping is None:
            stopping = time.monotonic()
            process.terminate()
        if stopping is not None and (os.name == "nt" or time.monotonic() - stopping > PATIENCE):
            process.kill()
    progress.feed(bytes(process.readAllStandardError()))
    progress.end_line()


def check_end(command, process, messages):
    code = process.exitCode()
    if process.error() == QProcess.ProcessError.FailedToStart:
        raise QgsProcessingException(translate("predt", "{} could not be started.").format(command))
    if process.exitStatus() == QProcess.ExitStatus.CrashExit:
        raise QgsProcessingException(translate("predt", "gdal_predt ended unexpectedly. ") + messages.failure())
    if code == INTERRUPTED:
        raise QgsProcessingException(translate("predt", "gdal_predt was interrupted from outside."))
    if code != 0:
        raise QgsProcessingException(messages.failure() or translate("predt", "gdal_predt failed with code {}.").format(code))
    for line in messages.failures:
        messages.feedback.pushWarning(line)


def tell_summary(summary, feedback, crs):
    """The farthest pixel is known only where distances were written."""
    farthest, reached = summary["max_distance"], ""
    if farthest:
        reached = translate("predt", ", farthest pixel {0:g} {1}").format(farthest["value"], in_words(summary["unit"], crs))
    elif "distance" in summary["outputs"]:
        reached = translate("predt", ", no pixel has a distance")
    feedback.pushInfo(translate("predt", "{0} x {1} pixels, {2} targets{3}; engine {4}, {5:.2f} s").format(
        summary["width"], summary["height"], summary["targets"], reached, summary["engine"], summary["seconds"]["total"]))


def in_words(unit, crs=None):
    known = unit.upper() == "GEO" and crs and crs.isValid()
    return QgsUnitTypes.toString(crs.mapUnits()) if known else translate("predt", UNITS.get(unit.upper(), unit))
