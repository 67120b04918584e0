"""Folders that a run works in. Nothing is left of them; where QGIS was killed, the next run sweeps what nobody holds."""
import os
import shutil
import tempfile
import time

from qgis.core import QgsProcessingUtils

try:
    import fcntl
except ImportError:  # Windows: an open file cannot be removed there
    fcntl = None

PREFIX = ".qgis-predt-"
LOCK = ".held"
OLD = "old"  # files that are being replaced
NEW_LOCK = ".held.new"
FORGOTTEN = 60  # seconds after which a folder without a lock is nobody's: its maker died between two system calls


class WorkingFolder:
    """A new folder in `parent` that only this user may enter; `with` removes it whatever happens.

    Its lock is inherited by gdal_predt, so that it is held as long as one of the two lives."""

    def __init__(self, parent):
        self.parent = parent

    def __enter__(self):
        sweep(self.parent)
        self.path = tempfile.mkdtemp(prefix=PREFIX, dir=self.parent)
        self.lock = hold(self.path)
        return self

    def __exit__(self, *unused):
        if not fcntl:
            os.close(self.lock)
        shutil.rmtree(self.path, ignore_errors=True)
        if fcntl:
            os.close(self.lock)


def scratch():
    """Where Processing keeps its temporary files, but outside the session's own folder: the next session has another."""
    return WorkingFolder(os.path.dirname(os.path.normpath(QgsProcessingUtils.tempFolder())))


def hold(folder):
    """The lock of a new folder. It gets its name when it is locked: who finds it free knows that the run is dead."""
    early, name = os.path.join(folder, NEW_LOCK), os.path.join(folder, LOCK)
    descriptor = os.open(early if fcntl else name, os.O_RDWR | os.O_CREAT, 0o600)
    if fcntl:
        os.set_inheritable(descriptor, True)
        take(descriptor)
        os.rename(early, name)
    return descriptor


def take(descriptor):
    """Whether this process has the lock now; never where the file system has no locks, so that nothing is swept there."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    except OSError:
        return False


def is_forgotten(folder):
    """Whether nobody works there any more."""
    lock = os.path.join(folder, LOCK)
    try:
        if not os.path.exists(lock):
            return time.time() - os.stat(folder).st_mtime > FORGOTTEN
        if not fcntl:
            os.remove(lock)
            return True
        descriptor = os.open(lock, os.O_RDWR)
    except OSError:  # somebody else's, or just gone
        return False
    try:
        return take(descriptor)
    finally:
        os.close(descriptor)


def sweep(parent):
    """Removes what runs left that were killed with QGIS."""
    try:
        names = [entry.name for entry in os.scandir(parent) if entry.name.startswith(PREFIX) and not entry.is_symlink()]
    except OSError:
        return
    for name in names:
        folder = os.path.join(parent, name)
        if os.path.isdir(folder) and is_forgotten(folder):
            try:
                restore(os.path.join(folder, OLD), parent)
            except OSError:
                continue
            shutil.rmtree(folder, ignore_errors=True)


def restore(old, parent):
    """What was taken away to be replaced, by a run that died before it replaced anything, goes back."""
    names = os.listdir(old) if os.path.isdir(old) else []
    for name in names:
        now = os.path.join(parent, name)
        if os.path.lexists(now) and not os.path.samefile(now, os.path.join(old, name)):
            return
    for name in names:
        if not os.path.lexists(os.path.join(parent, name)):
            os.rename(os.path.join(old, name), os.path.join(parent, name))
