// Says what of a page in a frame sticks out of it or is clipped, one line each, and at the end that it has looked.
const found = [];
const frame = document.querySelector('iframe');

function describe(element) {
	const text = element.textContent.trim().replace(/\s+/g, ' ').slice(0, 60);
	return `${element.tagName.toLowerCase()}.${element.getAttribute('class') || ''} "${text}"`;
}

// Of a picture's letters, which may be turned.
function scale(text) {
	const matrix = text.getScreenCTM();
	return Math.hypot(matrix.a, matrix.b);
}

// What scrolls by itself may be wider than the page.
function scrolls(element) {
	return element.closest('.scroll') !== null;
}

function look(page, width) {
	const all = page.body.querySelectorAll('*');
	if (page.documentElement.scrollWidth > width)
		found.push(`the page is ${page.documentElement.scrollWidth} pixels wide`);
	for (const element of all) {
		const box = element.getBoundingClientRect();
		if (box.width === 0 || box.height === 0 || element.closest('defs, title, details:not([open])'))
			continue;
		if (!scrolls(element) && (box.left < -1 || box.right > width + 1))
			found.push(`sticks out, ${Math.round(box.left)} to ${Math.round(box.right)}: ${describe(element)}`);
		if (element.clientWidth && element.scrollWidth > element.clientWidth + 1 &&
		    !element.matches('.scroll') && !element.closest('svg') && !scrolls(element))
			found.push(`is wider than its box: ${describe(element)}`);
	}
	for (const text of page.querySelectorAll('svg text')) {
		const box = text.getBoundingClientRect();
		const picture = text.closest('svg').getBoundingClientRect();
		if (box.width > 0 && (box.left < picture.left - 1 || box.right > picture.right + 1 ||
		                      box.bottom > picture.bottom + 1 || box.top < picture.top - 1))
			found.push(`is clipped by its picture, ${Math.round(box.left - picture.left)} to ` +
			           `${Math.round(box.right - picture.left)}: ${describe(text)}`);
		const size = parseFloat(getComputedStyle(text).fontSize) * scale(text);
		if (box.width > 0 && size < 9)
			found.push(`is ${size.toFixed(1)} pixels small: ${describe(text)}`);
	}
	for (const chart of page.querySelectorAll('svg.bars')) {
		const texts = [...chart.querySelectorAll('text')].map(text => text.getBoundingClientRect());
		for (let i = 0; i + 1 < texts.length; i += 2)
			if (texts[i].right > texts[i + 1].left)
				found.push(`two texts overlap: ${describe(chart)}`);
	}
}

addEventListener('load', () => {
	const page = frame.contentDocument;
	const paper = frame.contentWindow.getComputedStyle(page.body).backgroundColor;
	const dark = paper.match(/\d+/g).slice(0, 3).every(part => Number(part) < 128);
	look(page, frame.clientWidth);
	if (typeof tryPage === 'function')
		tryPage(page);
	found.push(`looked, ${dark ? 'dark' : 'light'}, ${frame.clientWidth}`);
	document.getElementById('found').textContent = found.join('\n');
});
