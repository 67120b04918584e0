#!/usr/bin/env python3
"""Not in the suite: puts the faults of globe_mutations.txt in a copy of the tree, one at a time, and says which no test finds.

    globe_mutations.py [--jobs N] [--tests core_globe,core_globe_margins] [PART OF A NAME ...]
"""
import argparse
import concurrent.futures
import os
import queue
import shutil
import subprocess
import sys
import tempfile
import threading

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
TESTS = 'core_globe,core_globe_far,core_globe_ties,core_globe_rounding,core_globe_runs,core_globe_margins'
SECONDS = 400  # for a test that takes a few


def read_mutations():
    """Yields (name, [(file, old, new)])."""
    with open(os.path.join(HERE, 'globe_mutations.txt')) as text:
        blocks = text.read().split('\n\n')
    for block in blocks:
        lines = [line for line in block.split('\n') if not line.startswith('# ')]
        if not any(lines):
            continue
        edits, file, kind = [], None, None
        for line in lines[1:]:
            if line.startswith(('- ', '+ ')) or line in '-+':
                kind = line[:1]
                if kind == '-':
                    edits.append([file, line[2:], ''])
                else:
                    edits[-1][2] = line[2:]
            elif kind is None or '.' in line and ' ' not in line:
                file, kind = line, None
            else:
                edits[-1][1 if kind == '-' else 2] += '\n' + line
        yield lines[0], edits


class Copy:
    """A copy of the tree with a build of its own: of the portable kernels alone, and quickly."""

    def __init__(self, tests):
        self.tests = tests
        self.folder = tempfile.mkdtemp(prefix='predt-mutations-')
        files = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, check=True, capture_output=True,
                               text=True)
        for name in files.stdout.split('\n'):
            if name and os.path.isfile(os.path.join(ROOT, name)):
                to = os.path.join(self.folder, name)
                os.makedirs(os.path.dirname(to), exist_ok=True)
                shutil.copy2(os.path.join(ROOT, name), to)
        self.edit('src/core/CMakeLists.txt', 'PRIVATE -O3 ', 'PRIVATE -O1 ', -1)
        self.edit('src/core/CMakeLists.txt', 'if(CMAKE_SYSTEM_PROCESSOR MATCHES', 'if(NO_PROCESSOR MATCHES')
        subprocess.run(['cmake', '-S', '.', '-B', 'build', '-G', 'Ninja', '-DCMAKE_BUILD_TYPE=Release', '-DPREDT_CUDA=OFF'],
                       cwd=self.folder, check=True, stdout=subprocess.DEVNULL)

    def edit(self, name, old, new, count=1):
        path = os.path.join(self.folder, name)
        with open(path) as file:
            text = file.read()
        if old not in text or (count == 1 and text.count(old) != 1):
            raise ValueError('%s has not once: %s' % (name, old))
        with open(path, 'w') as file:
            file.write(text.replace(old, new, count))

    def build(self, test):
        done = subprocess.run(['cmake', '--build', 'build', '--target', test], cwd=self.folder, capture_output=True, text=True)
        if done.returncode:
            raise ValueError(done.stdout[-3000:])

    def failing(self):
        """The first fact that does not hold, or that does not end."""
        for test in self.tests:
            self.build(test)
            program = os.path.join(self.folder, 'build/tests/core', test)
            running = subprocess.Popen(['stdbuf', '-oL', program], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                       text=True, errors='replace')
            timer = threading.Timer(SECONDS, running.kill)
            timer.start()
            fact = None
            for line in running.stdout:
                if line.startswith('[  FAILED  ] '):
                    running.kill()
                    fact = line.split(' ] ')[1].strip()
                    break
                if line.startswith('[ RUN '):
                    last = line.split(' ] ')[1].strip()
            timer.cancel()
            if running.wait() != 0:
                return '%s: %s' % (test, fact or last + ' ends with %d' % running.returncode)
        return None

    def attempt(self, edits):
        for name, old, new in edits:
            self.edit('src/core/globe/' + name, old, new)
        try:
            return self.failing()
        except ValueError as error:
            return 'DOES NOT COMPILE: %s' % error
        finally:
            self.restore(edits)

    def restore(self, edits):
        for name, _, _ in edits:
            shutil.copy(os.path.join(ROOT, 'src/core/globe', name), os.path.join(self.folder, 'src/core/globe', name))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--jobs', type=int, default=1)
    parser.add_argument('--tests', default=TESTS)
    parser.add_argument('parts', nargs='*')
    options = parser.parse_args()
    wanted = [m for m in read_mutations() if not options.parts or any(part in m[0] for part in options.parts)]
    copies = queue.Queue()
    for _ in range(options.jobs):
        copies.put(Copy(options.tests.split(',')))

    def attempt(mutation):
        copy = copies.get()
        try:
            return mutation[0], copy.attempt(mutation[1])
        except ValueError as error:
            return mutation[0], 'DOES NOT APPLY: %s' % error
        finally:
            copies.put(copy)

    bad = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for name, result in pool.map(attempt, wanted):
            right = (result is None) == name.startswith('same:') and not (result or '').startswith('DOES NOT')
            bad += not right
            print('%s  %s: %s' % ('ok ' if right else 'BAD', name, result or 'no test fails'), flush=True)
    while not copies.empty():
        shutil.rmtree(copies.get().folder)
    print('%d of %d are not as they should be' % (bad, len(wanted)))
    return bad > 0


sys.exit(main())
