# Completion of weir for bash. The program itself lists the possible completions.
_weir() {
	local line=${COMP_LINE:0:COMP_POINT} current candidate files="" kept
	local -a typed
	# Not COMP_WORDS: bash splits words there at ":" and "=", which names of devices have.
	read -ra typed <<< "$line"
	case $line in
	*[[:space:]]) typed+=('') ;;
	esac
	current=${typed[${#typed[@]} - 1]}
	# What bash takes for an earlier word is not replaced.
	kept=${current%"${current##*[:=]}"}
	COMPREPLY=()
	while IFS= read -r candidate; do
		case $candidate in
		:files) files=yes ;;
		*) COMPREPLY+=("${candidate#"$kept"}") ;;
		esac
	done < <("${typed[0]}" completion words "${typed[@]:1}" 2> /dev/null)
	if [ -n "$files" ]; then
		compopt -o filenames 2> /dev/null
		while IFS= read -r candidate; do
			COMPREPLY+=("$candidate")
		done < <(compgen -f -- "${current#"$kept"}")
	elif [ "${#COMPREPLY[@]}" -eq 1 ]; then
		case ${COMPREPLY[0]} in
		*=) compopt -o nospace 2> /dev/null ;;
		esac
	fi
}
complete -F _weir weir
