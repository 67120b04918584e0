"""What must hold after a run, whatever failed in it. Everything else is a finding.

- Exit status 0: the folder is what a clean run leaves, byte for byte, or raster for raster where bytes may differ (blocks
  compressed by several threads); nothing is said but warnings. No failed fsync and no failed close of a descriptor that was
  open for writing was passed over. (A failed close of a descriptor for reading harms nobody, nor one of a file without a name,
  of the lock in the working folder, or of SQLite's journal.)
- Any other exit status: the folder is what it was before, byte for byte; exactly one line says why, warnings apart.
- What cannot be undone: a working folder that could not be removed may lie there still, if a line says so; where renames fail
  from then on, an old file that could not be put back must be whole somewhere below, in a place that the line names.
- A run that was killed: sources and strangers as they were; nothing of an old raster is lost, though parts of it may lie in
  what is temporary, and no new file stands beside what belonged to the old one. A later run to another name in that folder
  takes all temporaries away, and each raster is the old one or the new one, whole. The same run again, then, leaves what a
  clean run leaves.
- Ended by GDAL itself for want of memory (it aborts): as if killed. Ended so by an allocation of our own: a finding. What
  GDAL says of that past its error handler does not count as lines.
- Never a hang."""
import os

import case
import folder as folders
from jobs import Job

INTERRUPTED = 130


class Judge:
    """Knows a job's folder before and after a clean run."""

    def __init__(self, job, place):
        self.job = job
        self.before = place.make(job)
        run = place.run(job)
        self.after = place.state()
        self.clean = run.exit == 0
        self.trouble = [] if self.clean else [f"the clean run: {run.end()}: {run.stderr.strip()}"]
        if self.clean:
            self.rasters = {name: folders.facts(os.path.join(place.folder, name)) for name in job.outputs}
            self.trouble += self.modes() + self.strays() + self.names()

    def modes(self):
        return [f"the clean run changes the mode of {name}" for name in self.job.outputs
                if name in self.before and self.before[name][1] != self.after[name][1]]

    def strays(self):
        return [f"the clean run leaves {name}" for name in self.after
                if name not in self.before and self.output_of(name) is None]

    def names(self):
        return [f"the clean run leaves the name of a working file in {name}" for name, content in self.after.items()
                if content and (b".predt-" in content[0] or b"/vsipredt" in content[0])]

    def output_of(self, name):
        """Which output a file belongs to, as itself, as a companion or as a part of a folder."""
        for output in self.job.outputs:
            if name == output or name.startswith((output + ".", output + os.sep, os.path.splitext(output)[0] + ".")):
                return output
        return None

    # ---- Is it what it should be?

    def is_new(self, place, state, output):
        """The output and its companions are those of a clean run."""
        def own(held):
            return {name: content for name, content in held.items() if self.output_of(name) == output}
        got, wanted = own(state), own(self.after)
        if not got or got.keys() != wanted.keys() or any(got[name] and got[name][1] != wanted[name][1] for name in got):
            return False
        return got == wanted or folders.same_raster(os.path.join(place.folder, output), self.rasters[output])

    def is_after(self, place, state):
        if state.keys() != self.after.keys():
            return False
        others = all(state[name] == self.after[name] for name in state if self.output_of(name) is None)
        return others and all(self.is_new(place, state, output) for output in self.job.outputs)

    def difference(self, state, wanted):
        missing = sorted(wanted.keys() - state.keys())
        extra = sorted(state.keys() - wanted.keys())
        changed = sorted(name for name in state.keys() & wanted.keys() if state[name] != wanted[name])
        return "; ".join(f"{what}: {' '.join(names)}" for what, names in
                         (("missing", missing), ("left", extra), ("changed", changed)) if names)

    # ---- The cases

    def done(self, place, state, run, fault):
        found = []
        if not self.is_after(place, state) and not self.only_unlinked(place, state, self.after, run, fault):
            found.append("exit 0, but not what a clean run leaves: " + self.difference(state, self.after))
        if run.lines():
            found.append(f"exit 0, and it says {run.lines()}")
        sqlite = run.call.startswith("fdatasync")  # of the folder with its journal; we call fsync ourselves, later
        if fault and fault.family == "sync" and run.failed and fault.mode in ("once", "on") and not sqlite:
            found.append(f"a failed fsync is passed over: {run.call}")
        if fault and fault.family == "close" and fault.mode in ("once", "on") and matters(run.call):
            found.append(f"a failed close is passed over: {run.call}")
        return found

    def only_unlinked(self, place, state, wanted, run, fault):
        """All is well but for a working folder that could not be removed, and that is said."""
        if not fault or fault.family not in ("unlink", "open", "list", "stat") or "could not be removed" not in run.stderr:
            return False
        rest = {name: content for name, content in state.items() if name in wanted or not is_temporary(name)}
        return rest == wanted or wanted is self.after and self.is_after(place, rest)

    def kept_elsewhere(self, state, run, fault):
        """Where a rename could not be taken back: the old file is whole in a place that the line names."""
        if not fault or fault.family not in ("rename", "link") or fault.mode != "on":
            return False
        for name, content in self.before.items():
            if content is None or state.get(name) == content:
                continue
            places = [where for where, held in state.items() if held and held[0] == content[0]]
            if not any(os.path.dirname(where) in run.stderr for where in places):
                return False
        return True

    def refused(self, place, state, run, fault):
        found = []
        excused = self.only_unlinked(place, state, self.before, run, fault) or self.kept_elsewhere(state, run, fault)
        if state != self.before and not excused:
            found.append(f"{run.end()}, but the folder is another: " + self.difference(state, self.before))
        lines = run.lines()
        if fault and fault.family in ("memory", "map"):
            lines = [line for line in lines if line.startswith("gdal_predt: ")]
        if len(lines) != 1:
            found.append(f"{run.end()}, told in {len(lines)} lines: {lines}")
        return found

    def killed(self, place, state):
        """Nothing is lost and nothing under a final name is broken."""
        found = []
        contents = {content[0] for content in state.values() if content}
        for name, content in self.before.items():
            if self.output_of(name) is None and state.get(name) != content:
                found.append(f"killed: {name} is not what it was")
        for output in self.job.outputs:
            old = self.old(output)
            whole_old = old and all(state.get(name) == content for name, content in old.items())
            if output not in state and output not in self.before or whole_old or self.is_new(place, state, output):
                continue
            lost = [name for name, content in old.items() if content[0] not in contents]
            if lost or not old:
                found.append(f"killed: {output} is neither the old one nor the new one" + (f"; lost: {lost}" if lost else ""))
            elif output in state and state[output] != old.get(output) and any(state.get(name) == old[name] for name in old):
                found.append(f"killed: {output} is new beside what belonged to the old one")
        strays = [name for name in state if name not in self.before and name not in self.after and not is_temporary(name)]
        return found + ([f"killed: what is left is no temporary: {' '.join(strays)}"] if strays else [])

    def is_old(self, state, output):
        return {name: content for name, content in state.items() if self.output_of(name) == output} == self.old(output)

    def old(self, output):
        return {name: content for name, content in self.before.items() if self.output_of(name) == output}

    def another_run(self, place):
        """What a run to another name in that folder leaves of what a killed one has left."""
        let_time_pass(place.folder)
        another = os.path.join(os.path.dirname(self.job.outputs[0]), "another.tif")
        run = place.run(Job("another", "{}/in.tif {}/" + another, [another]))
        if os.path.exists(os.path.join(place.folder, another)):
            os.remove(os.path.join(place.folder, another))
        state = place.state()
        if run.exit != 0:
            return [f"another run after it: {run.end()} {run.stderr.strip()}"]
        torn = [output for output in self.job.outputs if not self.is_old(state, output)
                and not self.is_new(place, state, output)]
        left = [name for name in state if name not in self.before and self.output_of(name) is None]
        return [f"after another run {output} is neither the old one nor the new one: {self.difference(state, self.before)}"
                for output in torn] + ([f"after another run there is still {' '.join(left)}"] if left else [])

    def next_run(self, place):
        """What the same run leaves after a killed one."""
        found = self.another_run(place)
        if self.is_after(place, place.state()):
            return found
        replaces = any(output in self.before for output in self.job.outputs)
        run = place.run(self.job, more=() if replaces else ("--overwrite",))
        state = place.state()
        if run.exit == 0 and self.is_after(place, state):
            return found
        return found + [f"the run after it: {run.end()} {run.stderr.strip()}: {self.difference(state, self.after)}"]

    def findings(self, place, run, fault=None):
        state = place.state()
        if run.hang:
            return ["hangs"]
        if fault and fault.mode == "kill" and run.signal:
            return self.killed(place, state) + self.next_run(place)
        if fault and fault.mode == "term" and run.exit not in (0, INTERRUPTED) and run.failed:
            return [f"SIGTERM: {run.end()}: {run.stderr.strip()}"]
        if run.signal and fault and fault.family in ("memory", "map", "thread"):
            ours = fault.family == "memory" and run.call.endswith(os.path.basename(case.COMMAND))
            return self.killed(place, state) + ([f"signal {run.signal} after an allocation of our own"] if ours else [])
        if run.signal:
            return [f"signal {run.signal}: {run.stderr.strip()}"]
        return self.done(place, state, run, fault) if run.exit == 0 else self.refused(place, state, run, fault)


def let_time_pass(folder):
    """A working folder without a lock may be that of a run that has just begun, unless it is old."""
    for place, folders_there, _ in os.walk(folder):
        for name in folders_there:
            if is_temporary(name):
                os.utime(os.path.join(place, name), (0, 0))


def matters(call):
    return call.split(" ")[1:2] == ["rw"] and not call.endswith((" (deleted)", "/lock", "-journal"))


def is_temporary(name):
    return any(part.startswith(".predt-") or part.startswith("predt-") for part in name.split(os.sep))
