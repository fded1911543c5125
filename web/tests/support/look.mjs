// What a careful reader checks on every view: accessibility by axe, nothing wider than the screen, targets large enough
// for a thumb.

import assert from 'node:assert/strict';
import axe from 'axe-core';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** No violations, but for rules that are named with a reason. */
export async function accessible(page, what, except = []) {
  await page.evaluate(axe.source);
  const rules = Object.fromEntries(except.map((rule) => [rule, { enabled: false }]));
  const found = await page.evaluate((options) => window.axe.run(options), { runOnly: { type: 'tag', values: RULES }, rules });
  const said = found.violations.map(({ id, help, nodes }) => ({
    id, help, where: nodes.slice(0, 4).map((node) => `${node.target.join(' ')}: ${node.failureSummary}`),
  }));
  assert.deepEqual(said, [], `${what}: ${JSON.stringify(said, null, 2)}`);
}

export async function fits(page, what) {
  const { wide, screen, culprits } = await page.evaluate(() => ({
    wide: document.documentElement.scrollWidth,
    screen: document.documentElement.clientWidth,
    culprits: [...document.querySelectorAll('main *, header *')]
      .filter((element) => element.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
      .slice(0, 5).map((element) => `${element.tagName}.${element.className}`),
  }));
  assert.ok(wide <= screen, `${what} is ${wide} px wide on a screen of ${screen}: ${culprits.join(', ')}`);
}

/** Everything that one presses is at least 32 px in both directions; what is hidden is pressed through its label. */
export async function pressable(page, what) {
  const small = await page.evaluate(() => {
    const pressed = document.querySelectorAll('button, summary, select, input:not(.hidden), [role=slider], label:has(input.hidden)');
    return [...pressed].flatMap((element) => {
      const { width, height } = element.getBoundingClientRect();
      const visible = element.checkVisibility({ visibilityProperty: true }) && width > 1 && height > 1;
      const label = element.getAttribute('aria-label') ?? element.textContent.trim().slice(0, 30);
      return visible && (width < 31.5 || height < 31.5) ? [`${element.tagName} "${label}" ${Math.round(width)}×${Math.round(height)}`] : [];
    });
  });
  assert.deepEqual(small, [], `${what}: too small to press`);
}
