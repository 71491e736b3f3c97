#compdef weir
# Completion of weir for zsh. The program itself lists the possible completions.
_weir() {
	local -a candidates
	candidates=("${(@f)$("${words[1]}" completion words "${(@)words[2,CURRENT]}" 2> /dev/null)}")
	if (( ${candidates[(Ie):files]} )); then
		candidates=("${(@)candidates:#:files}")
		_files
	fi
	compadd -- "${(@)candidates:#}"
}
if [ "$funcstack[1]" = _weir ]; then
	_weir "$@"
else
	compdef _weir weir
fi
