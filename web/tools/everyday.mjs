// What people ask first, and what they ask often. The functions of the engine that run for the first travel with the page;
// those that run for the others come next, and all others last. A program that is like none of these is answered too, as
// soon as what it needs is there.

/** As the page asks. */
const odds = (text, inputs = {}) => ({ ask: 'odds', steps: 400_000_000, text, files: {}, inputs });
const roll = (text) => ({ ask: 'roll', seed: '7', text, files: {}, inputs: {} });

/** What the page opens with, and what a first visitor types: throws, sums of them, the highest and lowest of them. */
export const first = ['4d6kh3', '2d6', '3d6', 'd20', 'd%', '2d6 + 3', '2d20kh1 + 5', '2d20kl1 - 1', '4dF + 2', '6d10cs>=8'].map(
  (text) => odds(text),
);

const PARAMS = '## What is added.\nparam bonus = 5\n## The number to reach.\nparam target = 15\nd20 + bonus >= target';
const PROGRAMS = [
  'd20 + 5 >= 15',
  '3d6!',
  '8d6 // 2',
  '100d6',
  '2d6ro<=2 + 4',
  '7d10!!kh3',
  '6d10! cs>=8',
  '# Three ways to roll an ability score.\nshow "in order" = 3d6\nshow "heroic" = 4d6kh3\nshow "gritty" = 2d6 + 6',
  PARAMS,
  'let die = d20\n{total: die + 7, margin: die + 7 - 15, hit: die + 7 >= 15}',
  'let die = d20\nlet hit = die == 20 or (die != 1 and die + 7 >= 16)\nif not hit then 0 else if die == 20 then 4d6 + 4 else 2d6 + 4',
  'let damage = 8d6\nif d20 + 3 >= 15 then damage // 2 else damage',
  'd{"sun": 3, "cloud": 2, "rain"}',
  'enum Move = miss | weak_hit | strong_hit\nmatch 2d6 + 1\n  ..6 => Move.miss\n  7..9 => Move.weak_hit\n  else => Move.strong_hit\nend',
  'let scores = times(6, 4d6kh3)\n{best: nth_highest(scores, 1), worst: nth_lowest(scores, 1)}',
  'let pool = 9d6\n{hits: pool cs>=5, glitch: (pool cs=1) * 2 > 9}',
  'fn trait(sides) = max((1)d(sides)!!, d6!!)\nshow "d6" = trait(6) >= 4\nshow "d8" = trait(8) >= 4',
  'cofd.action(7, again: 9)',
  'stormchaser.check(15, modifier: 3, plus: 1)',
  'kaiser.skill(6, 12, advantage: 1)',
  'crucible.check(15, boons: 2, banes: 1, ability: 3)',
];
const WRONG = ['4d6r1', 'd20 + ', '3d', 'd20 + bonsu', '(2d6', '4d6kh3 +* 2'];

export const often = [
  ...PROGRAMS.map((text) => odds(text)),
  odds(PARAMS, { bonus: '7' }),
  ...['4d6kh3', 'd20 + 5 >= 15', '3d6!', '2d20kh1 + 5', PARAMS, 'cofd.action(7, again: 9)'].map(roll),
  ...WRONG.map((text) => odds(text)),
  ...[...PROGRAMS, ...WRONG].map((text) => ({ ask: 'tokens', text })),
  { ask: 'complete', text: 'cof', at: 3, files: {} },
  { ask: 'complete', text: 'cofd.', at: 5, files: {} },
  { ask: 'complete', text: 'let die = d20\nd', at: 15, files: {} },
  { ask: 'systems', files: {} },
];

/** Those that are wrong on purpose. */
export const wrong = new Set(WRONG);
