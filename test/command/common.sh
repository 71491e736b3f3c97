# Shared by the tests of the command. Each is called with the program, a folder to work in, which is
# recreated, and the root of the project.
set -eu
weir=$(realpath "$1")
root=$(realpath "$3")
rm -rf "$2"
mkdir -p "$2"
cd "$2"
# Ignore the user's own profiles.
unset WEIR_PROFILE
XDG_CONFIG_HOME=$PWD/config
export XDG_CONFIG_HOME
failures=0
nouns='blocks|threads|ranks|repeats|cases|pairs|rounds|operations|units|words|preemptions|results|points|executions|steps|accesses|levels|places|layers|nodes|tokens|searches|kinds'

fail() {
	echo "FAILED: $*"
	failures=$((failures + 1))
}

# run STATUS ARGUMENT...: runs weir, which must end with that status; out and err get its output.
run() {
	expected=$1
	shift
	status=0
	"$weir" "$@" >out 2>err </dev/null || status=$?
	if [ "$status" -ne "$expected" ]; then
		fail "weir $*: status $status, not $expected: $(cat err)"
	fi
	! grep -hE "(^|[^0-9.,:])1 ($nouns)\\b" out err || fail "weir $*: one of them is not several"
}

# prints FILE PATTERN...: the file must match every extended regular expression.
prints() {
	printed=$1
	shift
	for pattern; do
		grep -Eq -- "$pattern" "$printed" || fail "no '$pattern' in $printed: $(cat "$printed")"
	done
}

finish() {
	[ "$failures" -eq 0 ] || exit 1
	exit 0
}
