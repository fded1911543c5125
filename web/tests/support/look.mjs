// What a careful reader checks on every view: accessibility by axe, nothing wider than the screen, targets large enough
// for a thumb.

import assert from 'node:assert/strict';
import axe from 'axe-core';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** No violations, but for rules that are named with a reason. */
export async function accessible(page, what, except = []) {
  await page.evaluate(settledColours);
  await page.evaluate(axe.source);
  const rules = Object.fromEntries(except.map((rule) => [rule, { enabled: false }]));
  const found = await page.evaluate((options) => window.axe.run(options), { runOnly: { type: 'tag', values: RULES }, rules });
  const said = found.violations.map(({ id, help, nodes }) => ({
    id, help, where: nodes.slice(0, 4).map((node) => `${node.target.join(' ')}: ${node.failureSummary}`),
  }));
  assert.deepEqual(said, [], `${what}: ${JSON.stringify(said, null, 2)}`);
}

/** Colours on their way are nobody's contrast: what ends is waited for, two seconds at most. */
function settledColours() {
  const ending = document.getAnimations().filter((each) => Number.isFinite(each.effect?.getComputedTiming().endTime));
  const ended = Promise.allSettled(ending.map((each) => each.finished));
  return Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 2000))]).then(() => undefined);
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
  assert.deepEqual(await page.evaluate(cutChoices), [], `${what}: what is chosen is cut off`);
  assert.deepEqual(await page.evaluate(brokenWords), [], `${what}: short words of a table are broken`);
}

/** Heads of a table that are one short word, on several lines. */
function brokenWords() {
  const broken = (text) => {
    const range = document.createRange();
    range.selectNodeContents(text);
    // A large first letter has a box of its own, on the same line.
    const tops = [...range.getClientRects()].map(({ top }) => top);
    return Math.max(...tops) - Math.min(...tops) > 8;
  };
  const heads = [...document.querySelectorAll('th')].filter((head) => head.checkVisibility());
  const texts = heads.flatMap((head) => [...head.childNodes]).filter((node) => node.nodeType === Node.TEXT_NODE);
  return texts.filter((text) => /^\S{1,12}$/.test(text.data.trim()) && broken(text)).map((text) => text.data.trim());
}

/** What is chosen in a list and has no room; the arrow beside it takes 15 px. */
function cutChoices() {
  const pen = document.createElement('canvas').getContext('2d');
  return [...document.querySelectorAll('select')].flatMap((select) => {
    const { font, paddingLeft, paddingRight } = getComputedStyle(select);
    const text = select.selectedOptions[0]?.text ?? '';
    pen.font = font;
    const room = select.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) - 15;
    return select.checkVisibility() && pen.measureText(text).width > room + 1 ? [`${text}: ${room} px`] : [];
  });
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

/** Whoever has only a keyboard comes to everything that can be pressed, and sees where they are. */
export async function reachable(page, what) {
  const count = await page.evaluate(() => {
    const root = document.querySelector('dialog[open]') ?? document.body;
    const pressed = root.querySelectorAll('a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea, summary, [tabindex="0"]');
    const another = (element) => element.type === 'radio' && !element.checked && [...root.querySelectorAll('input:checked')].some((one) => one.name === element.name);
    window.unreached = new Set([...pressed].filter((element) => element.tabIndex >= 0 && element.checkVisibility({ visibilityProperty: true }) && !another(element)));
    window.unseen = new Set();
    const seen = (element) => {
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
      return (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) || boxShadow !== 'none';
    };
    document.addEventListener('focusin', ({ target }) => {
      window.unreached.delete(target);
      // What is drawn by its label shows its focus there; the editor, by the colour of its frame.
      const holders = [target, target.closest('label'), target.closest('fieldset')];
      if (!target.closest('.editor') && !holders.some((each) => each && seen(each))) window.unseen.add(target.outerHTML.slice(0, 100));
    });
    document.activeElement?.blur();
    return window.unreached.size;
  });
  for (let times = 0; times < count + 30; times++) {
    await page.keyboard.press('Tab');
    if (times % 20 === 19 && (await page.evaluate(() => window.unreached.size === 0))) break;
  }
  const left = await page.evaluate(() => ({ unreached: [...window.unreached].map((each) => each.outerHTML.slice(0, 120)), unseen: [...window.unseen] }));
  assert.deepEqual(left, { unreached: [], unseen: [] }, `${what}: by keyboard`);
}
