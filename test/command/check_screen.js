// Selects steps by keys and clicks, and says what does not follow.
function tryPage(page) {
	const window = page.defaultView;

	for (const both of page.querySelectorAll('.both')) {
		const steps = [...both.querySelectorAll('.step')];
		const source = both.querySelector('.source');
		const selected = () => steps.filter(step => step.getAttribute('aria-selected') === 'true');
		const press = key => selected()[0].dispatchEvent(new window.KeyboardEvent('keydown', {key, bubbles: true}));
		const expect = (step, how) => {
			const line = page.getElementById(step.dataset.line);
			const now = [...both.querySelectorAll('.now')];
			if (selected().length !== 1 || selected()[0] !== step)
				found.push(`${how} does not select "${step.textContent}"`);
			if (now.length !== 1 || now[0] !== line)
				found.push(`${how} does not mark the line of "${step.textContent}"`);
			if (!line)
				return;
			const box = line.getBoundingClientRect(), pane = source.getBoundingClientRect();
			if (box.top < pane.top - 1 || box.bottom > pane.bottom + 1)
				found.push(`${how} leaves line ${line.id} out of sight`);
		};

		if (!steps.length)
			found.push('a finding without steps');
		expect(both.querySelector('.step.later') || steps[steps.length - 1], 'the beginning');
		press('Home');
		expect(steps[0], 'Home');
		for (const step of steps.slice(1)) {
			press('ArrowDown');
			expect(step, 'an arrow');
		}
		press('ArrowRight');
		expect(steps[steps.length - 1], 'an arrow at the end');
		press('ArrowUp');
		expect(steps[Math.max(0, steps.length - 2)], 'an arrow up');
		press('End');
		expect(steps[steps.length - 1], 'End');
		steps[0].click();
		expect(steps[0], 'a click');
		if (page.activeElement !== steps[0])
			found.push('a click does not move the focus');
		const later = both.querySelector('.step.later');
		if (later)
			later.click();
	}
}
