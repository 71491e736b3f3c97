#!/usr/bin/env python3
"""Compares the instructions of AMD kernels with those that the orders of their LLVM module require.

    check_isa.py [--mutants] TABLE TARGET[/sys] MODULE.ll ISA.s

Both files are compiled from the same source. ir_orders.py and the table of the CUDA test hold the module to the
algorithms: its accesses have an explicit order and scope. In the instructions of a GPU an order is a nearby wait,
write-back or invalidation of caches, and a scope is a bit. TABLE (isa.txt) lists which of them each order requires on a
target. For each kernel these must agree:

  - atomic loads, stores and changes: the same number as in the module, each with the bits of its scope;
  - block syncs;
  - invalidations: one for each acquire, with no read still in flight there;
  - write-backs: one for each release, where the target has them;
  - nothing at all is in flight at a block sync;
  - at least as many stores and changes with nothing in flight before them as there are releases in the module.

Accesses in flight are tracked along all branches. --mutants proves that the comparison can fail: it removes each cache
instruction, each block sync, each atomic access and each of the bits, one at a time, and the waits before
invalidations, before block syncs and, in the kernels of single operations, before releases. Every mutant must be
refused.

Status 0: they agree; 1: they do not, with a line for each difference; 2: a file could not be read.
"""
import re
import sys

sys.dont_write_bytecode = True
import ir_orders  # noqa: E402

ACCESS = re.compile(r'(?:global|flat)_(load|store|atomic)_\w+')
PLAIN = re.compile(r'global_(load|store)_(u?byte|short|[ui]?8|b8|d16)')
BITS = ('sc0', 'sc1', 'glc', 'dlc', 'slc', 'nt')


class Target:
    """A target's rows of the table."""

    def __init__(self, path, name):
        rows = {}
        with open(path, encoding='utf-8') as table:
            for line in table:
                words = line.split()
                if words[:1] == [name]:
                    rows[words[1]] = ' '.join(words[2:])
        if not rows:
            raise SystemExit('%s: no rows for %s' % (path, name))
        self.bits = {what: set(rows[what].split()) - {'-'} for what in ('load', 'store', 'change')}
        self.invalidates = rows['acquire'].split(' + ')
        self.writes_back = None if rows['release'] == '-' else rows['release']
        self.after_sync = None if rows['sync'] == '-' else rows['sync']
        self.splits_counts = rows['counts'] == 'vmcnt vscnt'


class Kernel:
    """The instructions of a kernel, and the successors of each."""

    def __init__(self, lines, target):
        self.target = target
        self.steps = []
        labels = {}
        jumps = {}
        for line in lines:
            text = instruction_of(line)
            label = re.match(r'(\.L\w+):', line)
            if label:
                labels[label[1]] = len(self.steps)
            elif text:
                jump = re.match(r's_c?branch\S* (\S+)', text)
                if jump:
                    jumps[len(self.steps)] = jump[1]
                self.steps.append(text)
        self.next = []
        for at, text in enumerate(self.steps):
            after = [] if re.match(r's_(branch|endpgm)\b', text) else [at + 1]
            if at in jumps:
                after.append(labels[jumps[at]])
            self.next.append([step for step in after if step < len(self.steps)])

    def access(self, text):
        """(load, store or change; its bits), or None."""
        found = ACCESS.match(text)
        if not found:
            return None
        kind = 'change' if found[1] == 'atomic' else found[1]
        return kind, {word for word in re.split(r'[ ,]+', text) if word in BITS}

    def flies(self, text):
        """The accesses that the instruction leaves in flight. A change that returns its old value is like a load."""
        found = self.access(text)
        if text == self.target.writes_back:
            return 'store'
        if not found:
            return None
        kind, bits = found
        return 'load' if kind == 'change' and bits & {'glc', 'sc0'} else kind

    def lands(self, text):
        """The accesses that are no longer in flight after the instruction."""
        if self.target.splits_counts and re.match(r's_waitcnt_vscnt null, 0x0$', text):
            return {'store', 'change'}
        if re.match(r's_waitcnt\b.*\bvmcnt\(0\)', text):
            return {'load'} if self.target.splits_counts else {'load', 'store', 'change'}
        return set()

    def in_flight(self):
        """The accesses that may be in flight before each instruction, along all branches."""
        before = [set() for _ in self.steps]
        todo = [0]
        seen = set()
        while todo:
            at = todo.pop()
            after = before[at] - self.lands(self.steps[at])
            if self.flies(self.steps[at]):
                after.add(self.flies(self.steps[at]))
            for step in self.next[at]:
                if step not in seen or not after <= before[step]:
                    seen.add(step)
                    before[step] |= after
                    todo.append(step)
        return before

    def has_scope(self, text):
        """Whether it is an access to a word, with the bits of the scope. Plain memory is accessed in bytes."""
        found = self.access(text)
        if not found or PLAIN.match(text):
            return False
        kind, bits = found
        if kind == 'change':
            return self.target.bits[kind] <= bits
        return bits == self.target.bits[kind]

    def read_before(self, at):
        """The accesses that must not be in flight at an invalidation: loads, and a change that directly precedes it."""
        for text in reversed(self.steps[:at]):
            if self.access(text):
                return {'load', 'change'} if self.flies(text) == 'change' else {'load'}
        return {'load'}

    def counts(self):
        """The counts to compare with the module's."""
        target = self.target
        steps = self.steps
        before = self.in_flight()
        result = {}
        for kind in ('load', 'store', 'change'):
            result[kind] = sum(1 for text in steps
                               if (self.access(text) or ('',))[0] == kind and self.has_scope(text))
        result['sync'] = steps.count('s_barrier')
        first = target.invalidates[0]
        whole = ok = clean = 0
        for at, text in enumerate(steps):
            if text == first:
                whole += 1
                ok += steps[at:at + len(target.invalidates)] == target.invalidates and \
                    not before[at] & self.read_before(at)
            if text == 's_barrier':
                ok_after = target.after_sync is None or steps[at + 1] == target.after_sync
                result['sync'] -= not ok_after or bool(before[at])
                clean += not before[at]
            kind = (self.access(text) or ('',))[0]
            clean += kind in ('store', 'change') and self.has_scope(text) and not before[at]
        result['acquire'] = ok if ok == whole else -1
        for part in target.invalidates[1:]:
            extra = result['sync'] if part == target.after_sync else 0
            if steps.count(part) != whole + extra:
                result['acquire'] = -1
        result['write-back'] = steps.count(target.writes_back) if target.writes_back else None
        result['release'] = clean
        return result


def demanded(lines, target):
    """The same counts from the lines of a kernel's module."""
    code = [one for line in lines
            for one in (['block'] if line.startswith('br ') else [ir_orders.instruction(line)]) if one]

    def count(pattern):
        return sum(1 for one in code if re.match(pattern, one))
    # A release is a fence and the access that follows it. (A fence before a loop leaves its wait there.)
    releases = sum(1 for one, then in zip(code, code[1:])
                   if one.startswith('fence.release.') and re.match(r'(st|atom)\.|barrier', then))
    return {
        'load': count(r'ld\.\w+\.(gpu|sys)'),
        'store': count(r'st\.\w+\.(gpu|sys)'),
        'change': count(r'atom\.'),
        'sync': count(r'barrier'),
        'acquire': count(r'(ld|atom)\.(acquire|acq_rel)\.') + count(r'fence\.acquire\.(gpu|sys)'),
        'write-back': count(r'fence\.release\.') if target.writes_back else None,
        'release': releases,
    }


def differences(kernel, wanted):
    found = kernel.counts()
    for what, number in wanted.items():
        enough = found[what] == number or what == 'release' and found[what] >= number
        if not enough:
            yield '%s: %s where the module has %s' % (what, found[what], number)


def waits_matter(name, kernel, at, waited_for):
    """Whether the waits before a step belong to an order, as shown by the instruction after them."""
    target = kernel.target
    for text in kernel.steps[at:]:
        if text == target.invalidates[0]:
            return waited_for & kernel.read_before(at)
        if text == 's_barrier':
            return waited_for
        if kernel.access(text) or text == target.writes_back:
            # On other targets nothing may be in flight here anyway.
            return name.startswith('machine_') and kernel.access(text) and kernel.has_scope(text) and \
                re.search(r'_(rel|acq_rel)$', name)
        if re.match(r's_c?branch', text):
            return False
    return False


def instruction_of(line):
    """The instruction on the line, or nothing for a label, a directive or a comment."""
    text = re.sub(r'\s*;.*', '', line).strip()
    return text if re.match(r'[a-z]\w+', text) and not text.endswith(':') else ''


def without_waits(lines, at, kernel):
    """The lines without the waits from one on, up to the next access, cache instruction or branch."""
    end = at
    for end in range(at, len(lines)):
        text = instruction_of(lines[end])
        if re.match(r'(global|flat|buffer)_|s_(barrier|c?branch)', text):
            break
    return lines[:at] + [line for line in lines[at:end] if not kernel.lands(instruction_of(line))] + lines[end:]


def mutants(name, lines, kernel):
    """(description, lines) of the kernel with one thing removed."""
    target = kernel.target
    before = kernel.in_flight()
    step = 0
    for at, line in enumerate(lines):
        text = instruction_of(line)
        if not text:
            continue
        waited_for = kernel.lands(text) & before[step]
        step += 1
        access = kernel.has_scope(text)
        if text in target.invalidates or text in (target.writes_back, target.after_sync, 's_barrier') or access:
            yield text + ' taken out', lines[:at] + lines[at + 1:]
        for bit in sorted(target.bits[kernel.access(text)[0]]) if access else ():
            yield text + ' without ' + bit, lines[:at] + [re.sub(r'\b%s\b' % bit, '', line)] + lines[at + 1:]
        if waited_for and waits_matter(name, kernel, step, waited_for):
            yield text + ' taken out', without_waits(lines, at, kernel)


def bodies(path):
    with open(path, encoding='utf-8') as text:
        return dict(re.findall(r'^(\w+):[^\n]*; @\1\n(.*?)^\.Lfunc_end', text.read(), re.M | re.S))


def main():
    arguments = sys.argv[1:]
    mutate = arguments[:1] == ['--mutants']
    table, name, module, assembly = arguments[mutate:]
    target = Target(table, name)
    isa = bodies(assembly)
    made = missed = bad = checked = 0
    for kernel_name, _, body in ir_orders.kernels(module):
        lines = [line.strip() for line in body.split('\n')]
        wanted = demanded(lines, target)
        if kernel_name not in isa:
            print('%s: not in %s' % (kernel_name, assembly))
            bad += 1
            continue
        code = isa[kernel_name].split('\n')
        kernel = Kernel(code, target)
        checked += 1
        for text in differences(kernel, wanted):
            print('%s: %s' % (kernel_name, text))
            bad += 1
        for what, changed in mutants(kernel_name, code, kernel) if mutate else ():
            made += 1
            if not list(differences(Kernel(changed, target), wanted)):
                print('%s: not refused: %s' % (kernel_name, what))
                missed += 1
    if mutate:
        print('%d mutants, %d missed' % (made, missed))
    print('%d kernels, %d differences' % (checked, bad))
    return 1 if bad or missed or checked < 100 or mutate and made < 100 else 0


if __name__ == '__main__':
    try:
        sys.exit(main())
    except ir_orders.Unknown as unknown:
        print('cannot follow: %s' % unknown)
        sys.exit(2)
