# Compares the ordered instructions of PTX kernels with a table of the expected ones.
#
#   awk [-v only="kernel ..."] [-v fixed=1] [-v scope=gpu] [-v switches=1] -f check_orders.awk TABLE PTX
#
# A kernel is reduced to the sequences of memory instructions and block syncs along all paths of its
# control flow, and these must be the sequences of the table. They stay the same when a compiler rotates
# a loop, copies its body or moves its blocks, and change with any order, any scope and any sync.
# Both sides are finite automata, which are walked together with a set of places on each side.
#
# only      the kernels that must be there; by default every kernel of the table
# fixed     1: built for fixed kinds, so that the kernels trap at handles of other kinds
# scope     the scope that the build was made for
# switches  1: built with WEIR_WAIT_LIMIT_NS and WEIR_JITTER, which must then show; 0: must not
#
# Status 0: matches the table; 1: does not, with a line for each difference; 2: a file could not be
# read.

function complain(text) { print FILENAME ": " text; bad = 1 }
function give_up(text) { print FILENAME ": " text; unreadable = 1; exit 2 }

BEGIN { if (scope == "") scope = "gpu" }

FNR == NR && (/^#/ || NF == 0) { next }

FNR == NR && $1 == "instruction" {
	full = $3
	gsub(/SCOPE/, scope, full)
	short[full] = $2
	next
}

FNR == NR && $1 == "has" { rules++; rule_kernel[rules] = $2; rule_word[rules] = $3; next }

FNR == NR && $1 == "kernel" {
	path = index($0, ": ") ? substr($0, index($0, ": ") + 2) : ""
	sub(/:.*/, "")
	expected = $2 ($3 == "" ? "" : "@" $3)
	listed[expected] = " "
	if (path == "")
		next
	$0 = path
}

FNR == NR && $1 == "again" { expect("fenced " expected, exit_of($2), entry_of($2)); next }

FNR == NR {
	for (i = 1; i <= NF; i++)
		if ($i ~ /^await\./)
			expect("fenced " expected, entry_of($i), exit_of($i))
	for (i = 1; i < NF; i++) {
		expect(expected, acquiring($i), acquiring($(i + 1)))
		if ($i ~ /^await\./ && $i == $(i + 1))
			expect("fenced " expected, entry_of($i), entry_of($i))
		else
			expect("fenced " expected, exit_of($i), entry_of($(i + 1)))
	}
	next
}

# The table's path goes from one place to the next.
function expect(name, from, to_,    k, names)
{
	split(from " " to_, names, " ")
	for (k = 1; k <= 2; k++)
		if (index(listed[name], " " names[k] " ") == 0)
			listed[name] = (listed[name] == "" ? " " : listed[name]) names[k] " "
	wanted[name, from, to_] = 1
}

# await.load#1 is a repeated acquiring load or, where there is an acquire fence, repeated relaxed
# loads and that fence.
function acquiring(name) { return name ~ /^await\./ ? part(name, "acquire") : name }
function entry_of(name) { return name ~ /^await\./ ? part(name, "relaxed") "of_await" : name }
function exit_of(name,    number)
{
	if (name !~ /^await\./)
		return name
	number = name
	sub(/^[^#]*/, "", number)
	return "fence.acquire" (number == "" ? "#" : number) "of_await"
}
function part(name, order,    number)
{
	number = name
	sub(/^await\./, "", name)
	sub(/#.*/, "", name)
	sub(/^[^#]*/, "", number)
	return name "." order (number == "" && order == "relaxed" ? "#" : number)
}

/^\.version / { version = $2 + 0 }

# An AMD GPU, by way of ../hip/ir_orders.awk: no clusters, a fence that acquires, and no warps.
/^\.target amdgcn/ { target = "@hip"; fenced = "fenced "; waits = "@fence" }

/^\.target sm_/ {
	match($2, /[0-9]+/)
	target = "@" (substr($2, RSTART, RLENGTH) + 0 >= 90 ? "clusters" : "alone")
	# fence.acquire exists from PTX 8.6 and sm_90 on.
	fenced = target == "@clusters" && version >= 8.6 ? "fenced " : ""
	waits = fenced == "" ? "@loads" : "@fence"
}

/globaltimer/ { saw_timer = 1 }
/clock64/ { saw_clock64 = 1 }
# A counter barrier and a combiner may end the launch: its block may have too few threads.
kernel !~ /^(barrier_counter|combine)/ && /^[ \t]*(@!?%p[0-9]+ )?trap;/ { saw_trap = 1 }

/\.entry/ {
	match($0, /\.entry [A-Za-z_0-9]+/)
	kernel = substr($0, RSTART + 7, RLENGTH - 7)
	size = 0
	next
}

# The delay of WEIR_JITTER is a function: a kernel that calls it continues after it as before.
/^(\.[a-z]+ )*\.func/ && /weir_jitter_/ { delay = 1 }
delay && is_access($0) { complain("a delay has a memory instruction: " $1) }
delay && /^}/ { delay = 0 }

kernel != "" && /^}/ { check_kernel(); kernel = ""; next }

kernel != "" { read_line($0) }

END {
	if (unreadable)
		exit 2
	if (NR == FNR)
		give_up("no kernels")
	demand_kernels()
	if (switches && !(saw_timer && saw_clock64 && saw_trap))
		complain("a wait limit or jitter was asked for and is not there")
	if (!switches && (saw_timer || saw_clock64 || saw_trap && !fixed))
		complain("a wait limit or jitter is there without being asked for")
	if (fixed && !saw_trap)
		complain("a handle of another kind than the fixed one goes unnoticed")
	exit bad
}

function is_access(line)
{
	return line ~ /^[ \t]*(@!?%p[0-9]+[ \t]+)?(ld|st|atom|red|fence|membar|bar|barrier|cp|ldu|prefetch)\./ &&
	       line !~ /^[ \t]*ld\.param/
}

# A line becomes a node: op (an instruction of interest, else ""), to (the label of a branch), stops
# (nothing follows), traps (not even the end) and, for all of them, maybe (a predicate may skip it).
function read_line(line)
{
	sub(/\/\/.*/, "", line)
	gsub(/^[ \t]+|[ \t]+$/, "", line)
	if (line ~ /^\$[A-Za-z_0-9]+:/) {
		sub(/:.*/, "", line)
		place[line] = size + 1
		return
	}
	if (calls) {
		calls = 0
		if (!switches || line !~ /^[A-Za-z_0-9]*weir_jitter_[A-Za-z_0-9]*,/)
			give_up(kernel ": cannot follow a call of " line)
		return
	}
	maybe[size + 1] = line ~ /^@/
	sub(/^@!?%p[0-9]+[ \t]+/, "", line)
	if (line !~ /^[a-z]/)
		return
	# nvcc writes the function's name on the next line.
	if (line ~ /^call(\.uni)?$/) {
		calls = 1
		return
	}
	size++
	op[size] = to[size] = ""
	stops[size] = line ~ /^(ret|exit)/
	traps[size] = line ~ /^trap/
	if (line ~ /^bra/) {
		if (line !~ /^bra(\.uni)?[ \t]+\$[A-Za-z_0-9]+;/)
			give_up(kernel ": cannot follow: " line)
		sub(/^[^$]*/, "", line)
		sub(/;.*/, "", line)
		to[size] = line
	} else if (line ~ /^(call|brx)/) {
		give_up(kernel ": cannot follow: " line)
	} else if (is_access(line)) {
		sub(/[ \t;].*/, "", line)
		op[size] = line in short ? short[line] : line "(unknown)"
		if (!(line in short))
			complain(kernel ": " line " is not an instruction of the table")
	}
}

# Notes in `next_op` which operations can follow node `from` when control is at node n.
function follow(from, n)
{
	while (!((from, n) in seen)) {
		seen[from, n] = 1
		if (n > size) {
			next_op[from, "end"] = 1
			return
		}
		if (op[n] != "")
			next_op[from, n] = 1
		if (stops[n])
			next_op[from, "end"] = 1
		if (traps[n] && !maybe[n])
			return
		if (to[n] != "" && maybe[n])
			follow(from, place[to[n]])
		if (to[n] != "" && !maybe[n])
			n = place[to[n]]
		else if ((op[n] != "" || stops[n]) && !maybe[n])
			return
		else
			n++
	}
}

# The nodes to which `label` leads from a set of nodes of the kernel.
function step_kernel(places, label,    from, count, n, k, result)
{
	count = split(places, from, " ")
	for (n = 1; n <= size; n++)
		for (k = 1; op[n] == label && k <= count; k++)
			if ((from[k], n) in next_op) {
				result = result n " "
				break
			}
	for (k = 1; label == "end" && k <= count; k++)
		if ((from[k], "end") in next_op)
			return "end"
	return result
}

# The same in the table, whose places are names, with # and a number if there are several.
function step_table(places, label,    from, to_name, count, total, n, k, result)
{
	count = split(places, from, " ")
	total = split(listed[entry], to_name, " ")
	for (n = 1; n <= total; n++)
		for (k = 1; label_of(to_name[n]) == label && k <= count; k++)
			if ((entry, from[k], to_name[n]) in wanted) {
				result = result to_name[n] " "
				break
			}
	return result
}

function label_of(name) { sub(/#.*/, "", name); return name }

function walk(here, there_, path,    label, a, b)
{
	if ((here, there_) in walked)
		return
	walked[here, there_] = 1
	for (label in labels) {
		a = step_kernel(here, label)
		b = step_table(there_, label)
		if (a != "" && b == "")
			complain(kernel ": after " path ", " label " must not come")
		else if (a == "" && b != "")
			complain(kernel ": after " path ", " label " never comes")
		else if (a != "" && label != "end")
			walk(a, b, path " " label)
	}
}

function check_kernel(    n, r, known)
{
	split("", next_op)
	split("", labels)
	split("", seen)
	split("", walked)
	follow("start", 1)
	for (n = 1; n <= size; n++)
		if (op[n] != "") {
			follow(n, n + 1)
			labels[op[n]] = 1
		}
	there[kernel] = 1
	for (r = 1; r <= rules; r++)
		if (kernel ~ rule_kernel[r]) {
			known = 1
			if (!has_word(rule_word[r]))
				complain(kernel ": has no " rule_word[r])
		}
	entry = kernel target in listed ? kernel target : kernel waits in listed ? kernel waits : kernel
	if (fenced entry in listed)
		entry = fenced entry
	if (entry in listed) {
		for (n in short)
			labels[short[n]] = 1
		labels["end"] = 1
		walk("start", "start", "start")
	} else if (!known) {
		complain(kernel ": the table does not know it")
	}
}

function has_word(word,    o)
{
	for (o in labels)
		if (o == word || o ~ "\\." word "$" || (word != "sync" && o ~ /\.acq_rel$/))
			return 1
	return 0
}

function demand_kernels(    k, n, names, name)
{
	if (only == "") {
		for (k in listed) {
			name = k
			sub(/@.*/, "", name)
			if (!(name in there) && k !~ /_block_|^fenced / &&
			    !(target == "@hip" && name ~ /^machine_(warp|named)_sync$/) &&
			    (name == k || name target == k || name waits == k))
				complain(k ": not compiled")
		}
		return
	}
	n = split(only, names, " ")
	for (; n > 0; n--)
		if (!(names[n] in there))
			complain(names[n] ": not compiled")
}
