#!/usr/bin/env python3
"""Translates the kernels of an LLVM module for AMD GPUs into the notation of ../../golden/orders.txt.

    ir_orders.py [--scope gpu|sys] MODULE.ll
    ir_orders.py --table ../../golden/orders.txt

The result has the form of PTX, so that ../cuda/check_orders.awk compares it with the same table. A
block sync is a release fence of the build's scope, s.barrier and an acquire fence of the block; with other fences
around s.barrier it is not a block sync.

The second form translates the table for this machine: a releasing access is a fence and a relaxed access, and an add is
an `atom` whether or not its result is used.

For AMD GPUs LLVM keeps branches that repeat a condition, where for other targets it would thread the jump. So a block
is written once for each set of conditions that are known when control reaches it.

Exits with 2 if it finds something that it does not know.
"""
import re
import sys

ORDER = r'(monotonic|acquire|release|acq_rel)'
# Calls that neither access memory of the device nor branch.
HARMLESS = re.compile(r'@llvm\.(amdgcn\.(s\.sleep|workitem\.id|workgroup\.id|implicitarg\.ptr|dispatch\.ptr)'
                      r'|lifetime|memcpy\.\S*p5\.|u(min|max)|ctpop|fshl|assume|experimental\.noalias)'
                      r'|asm sideeffect "(s_waitcnt[^"]*)?"')
OPERATIONS = {'add': 'add.u', 'sub': 'add.u', 'xchg': 'exch.b'}


class Unknown(Exception):
    pass


def scope_of(line):
    found = re.search(r'syncscope\("([^"]*)"\)', line)
    names = {'agent': 'gpu', 'agent-one-as': 'gpu', 'one-as': 'sys', 'workgroup': 'cta', 'workgroup-one-as': 'cta'}
    if not found:
        return 'sys'
    if found[1] not in names:
        raise Unknown(line)
    return names[found[1]]


def order_of(line):
    """The first order: a compare-and-swap has a second order, for failure."""
    found = re.search(r' %s\b' % ORDER, line)
    if not found:
        raise Unknown(line)
    return {'monotonic': 'relaxed'}.get(found[1], found[1])


def access(line, form):
    """An atomic access; `form` ends in the letter that the number of bits follows."""
    kind, rest = form.split(' ')
    bits = 64 if re.search(r'\bi64\b(?=[ ,])', line) else 32
    return '%s.%s.%s.global.%s%d %%r1' % (kind, order_of(line), scope_of(line), rest, bits)


def instruction(line):
    """A line of the module as an instruction, or None if the table does not cover it."""
    if re.match(r'fence\b', line):
        return 'fence.%s.%s' % (order_of(line), scope_of(line))
    if '@llvm.amdgcn.s.barrier(' in line:
        return 'barrier'
    if re.search(r'\bload atomic\b', line):
        return access(line, 'ld u')
    if re.match(r'store atomic\b', line):
        return access(line, 'st u')
    changed = re.search(r'= atomicrmw (\w+)', line)
    if changed:
        if changed[1] not in OPERATIONS:
            raise Unknown(line)
        return access(line, 'atom ' + OPERATIONS[changed[1]])
    if re.search(r'= cmpxchg\b', line):
        return access(line, 'atom cas.b')
    plain = re.search(r'(?:= |^)(load|store) ', line)
    if plain:
        # Arguments, the stack, and the plain memory of orders.hip.
        if re.search(r'ptr addrspace\([45]\)|@plain', line):
            return None
        where = 'shared' if 'addrspace(3)' in line else 'global'
        return '%s.%s.u32 %%r1' % ('ld' if plain[1] == 'load' else 'st', where)
    if '@llvm.trap(' in line:
        return 'trap'
    if '@llvm.readsteadycounter' in line:
        return 'mov.u64 %rd1, %globaltimer'
    if re.search(r'\bcall\b', line) and not HARMLESS.search(line):
        raise Unknown(line)
    return None


def join_syncs(found, scope):
    """Turns release fence, barrier and acquire fence into one sync. Other release fences work both ways, as on CUDA."""
    result = []
    for one in found:
        if one == 'fence.acquire.cta' and result and result[-1] == 'half':
            result[-1] = 'bar.sync 0'
        elif one == 'barrier' and result and result[-1] == 'fence.release.' + scope:
            result[-1] = 'half'
        else:
            result.append(one)
    return [re.sub(r'^fence\.release\.', 'fence.acq_rel.', one) for one in result]


class Block:
    def __init__(self, lines, scope):
        self.code = join_syncs([i for i in map(instruction, lines) if i], scope)
        self.defines = {}  # i1 values: how they are made
        self.target = None  # (condition, label, label), (label,), or None at an end
        self.ends = False
        for line in lines:
            made = re.match(r'(%\S+) = (.*)', line)
            if made and re.match(r'(phi i1|xor i1|icmp|fcmp|extractvalue|and i1|or i1|select i1 \S+ i1|load i1|trunc)',
                                 made[2]):
                self.defines[made[1]] = made[2]
            both = re.match(r'br i1 (\S+), label %(\S+), label %(\S+)', line)
            one = re.match(r'br label %(\S+)', line)
            if both:
                self.target = (both[1], both[2], both[3])
            elif one:
                self.target = (one[1],)
            elif line.startswith('switch '):
                self.target = tuple(re.findall(r'label %(\w+)', line))
            elif line.startswith('ret '):
                self.ends = True

    def facts_after(self, facts, came_from):
        """The conditions that are known at the end of the block."""
        known = dict(facts)
        fresh = {}
        for name, how in self.defines.items():
            value = None
            phi = re.findall(r'\[ (\S+), %(\S+) \]', how) if how.startswith('phi') else []
            for given, label in phi:
                if label == came_from:
                    value = {'true': True, 'false': False}.get(given, facts.get(given))
            turned = re.match(r'xor i1 (\S+), true', how)
            if turned and turned[1] in known:
                value = not known[turned[1]]
            either = re.match(r'select i1 (\S+), i1 true, i1 (\S+)', how)
            if either and (known.get(either[1]) or known.get(either[2])):
                value = True
            both = re.match(r'select i1 (\S+), i1 (\S+), i1 false', how)
            if both and False in (known.get(both[1]), known.get(both[2])):
                value = False
            fresh[name] = value
            known.pop(name, None)
            if value is not None:
                known[name] = value
        return known


def write_kernel(name, blocks, first):
    tested = {}
    for block in blocks.values():
        if block.target and len(block.target) == 3:
            tested[block.target[0]] = tested.get(block.target[0], 0) + 1
        for how in block.defines.values():
            for value in re.findall(r'%[\w.]+', how if how.startswith(('phi', 'xor', 'select')) else ''):
                tested[value] = tested.get(value, 0) + 1
    kept = {value for value, times in tested.items() if times > 1}
    numbers = {}
    todo = []

    def place(label, facts, came_from):
        state = (label, tuple(sorted(f for f in facts.items() if f[0] in kept)), came_from)
        if state not in numbers:
            numbers[state] = len(numbers)
            todo.append(state)
        return '$L%d' % numbers[state]

    print('.entry ' + name)
    place(first, {}, None)
    while todo:
        state = todo.pop()
        label, facts, came_from = state
        block = blocks[label]
        known = block.facts_after(dict(facts), came_from)
        print('$L%d:' % numbers[state])
        for code in block.code:
            print('\t%s;' % code)
        target = block.target
        if block.ends:
            print('\tret;')
        elif target and len(target) == 3 and target[0].startswith('%') and target[0] in known:
            print('\tbra %s;' % place(target[1] if known[target[0]] else target[2], known, label))
        elif target and len(target) == 3 and target[0].startswith('%'):
            print('\t@%%p1 bra %s;' % place(target[1], {**known, target[0]: True}, label))
            print('\tbra %s;' % place(target[2], {**known, target[0]: False}, label))
        elif target:
            for other in target[1:]:
                print('\t@%%p1 bra %s;' % place(other, known, label))
            print('\tbra %s;' % place(target[0], known, label))
    print('}')


def write_table(path):
    def released(name):
        """store.release#1 as a fence and store.relaxed, each with its own name."""
        access_, order, number = name[1], name[2], (name[3] or '').replace('#', '_')
        place = '#%s_%s%s' % (access_, order, number)
        weaker = 'relaxed' if order == 'release' else 'acquire'
        return 'fence.acq_rel%s %s.%s%s' % (place, access_, weaker, place)
    with open(path, encoding='utf-8') as table:
        for line in table:
            if line.startswith('\t') or line.startswith('kernel') and ': ' in line:
                line = re.sub(r'\bred(64)?\.(\w+)#?', r'add\1.\2#red', line)
                line = re.sub(r'\b(store64|store|xchg|add64|add|cas64|cas)\.(release|acq_rel)(#\w+)?', released, line)
            if not line.startswith('instruction red'):
                print(line, end='')


def kernels(path):
    """(name, label of the first block, text) of each kernel of a module."""
    with open(path, encoding='utf-8') as module:
        text = re.sub(r', !\w[^\n]*', '', module.read())
    text = re.sub(r'\[\n((?: {4}i\d+ [^\n]*\n)+) *\]', lambda m: '[ ' + m[1].replace('\n', ' ') + ']', text)
    for name, parameters, body in re.findall(
            r'^define [^\n]*amdgpu_kernel [^\n]*?@(\w+)\(([^\n]*)\{\n(.*?)^\}', text, re.M | re.S):
        yield name, str(len(re.findall(r'%\d+', parameters))), body


def main():
    arguments = sys.argv[1:]
    if arguments[0] == '--table':
        write_table(arguments[1])
        return 0
    scope = 'gpu'
    if arguments[:1] == ['--scope']:
        scope = arguments[1]
        arguments = arguments[2:]
    print('.target amdgcn')
    for name, first, body in kernels(arguments[0]):
        parts = re.split(r'^([\w.]+):[^\n]*\n', body, flags=re.M)
        labels = [first] + parts[1::2]
        try:
            blocks = {label: Block([line.strip() for line in part.split('\n') if line.strip()], scope)
                      for label, part in zip(labels, parts[0::2])}
            write_kernel(name, blocks, first)
        except Unknown as unknown:
            print('%s: cannot follow: %s' % (name, unknown), file=sys.stderr)
            return 2
    return 0


if __name__ == '__main__':
    sys.exit(main())
