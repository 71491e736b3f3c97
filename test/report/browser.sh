# Looks at pages in Chromium. The caller sets $folder, where it is, $report, the folder of this file, and $png: a
# folder for pictures, or "".

skip() {
	echo "${0##*/}: $*"
	exit 77
}

fail() {
	echo "${0##*/}: $*" >&2
	exit 1
}

browser=
for name in chromium chromium-browser google-chrome; do
	[ -n "$browser" ] || browser=$(command -v $name || true)
done
[ -n "$browser" ] || skip "there is no Chromium here"

# browse FILE WIDTH THEME OPTION...: theme 0 is dark, 1 light.
browse() {
	file=$1 width=$2 theme=$3
	shift 3
	timeout 100 "$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars \
		--user-data-dir="$folder/browser" --blink-settings=preferredColorScheme="$theme" \
		--window-size="$((width > 500 ? width : 500)),${height:-900}" "$@" "file://$folder/$file" 2> browser.err
}

# framed PAGE WIDTH [SCRIPT]: the page in a frame, because Chromium's windows are not as narrow as a phone.
framed() {
	printf '<!DOCTYPE html><style>body { margin: 0 } iframe { border: 0; width: %spx; height: %spx }</style>' \
		"$2" "${height:-900}"
	printf '<iframe srcdoc="'
	sed 's/&/\&amp;/g; s/"/\&quot;/g' "$1"
	printf '"></iframe><pre id="found"></pre><script>\n'
	cat "$report/screen.js" ${3:+"$3"}
	printf '</script>'
}

# look PAGE [SCRIPT]: no complaint at any width, and the page's colours are those of the theme. SCRIPT has a function
# tryPage that uses the page.
look() {
	for width in 390 1280; do
		framed "$1" $width "${2:-}" > framed.html
		for theme in 0 1; do
			browse framed.html $width $theme --virtual-time-budget=2000 --dump-dom |
				sed -n '/<pre id="found">/,$p' | sed '/<\/pre>/q' | sed 's/.*<pre[^>]*>//; s/<.*//' > found
			[ -s found ] || skip "Chromium does not run here: $(tail -n 1 browser.err)"
			grep -qx "looked, $([ $theme = 0 ] && echo dark || echo light), $width" found ||
				fail "$1, $width pixels, theme $theme: $(cat found)"
			! grep -v '^looked' found > complaints || fail "$1, $width pixels: $(cat complaints)"
			[ -z "$png" ] || browse framed.html $width $theme --screenshot="$png/${1%.html}-$width-$theme.png"
		done
	done
}
