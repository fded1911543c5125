// Dice that were gathered by tapping, and the text that says the same. The text is all there is: whoever edits it by hand
// sees the tray follow, as long as it is a text that taps can make.

export const DICE = ['d4', 'd6', 'd8', 'd10', 'd12', 'd20', 'd%'] as const;
export type Die = (typeof DICE)[number];
export type Luck = 'plain' | 'advantage' | 'disadvantage';
export type Tray = { dice: Partial<Record<Die, number>>; modifier: number; luck: Luck };

export const EMPTY: Tray = { dice: {}, modifier: 0, luck: 'plain' };
const MOST = 99;
const SUFFIX = { advantage: 'kh1', disadvantage: 'kl1' } as const;

const all = ({ dice }: Tray) => DICE.flatMap((die) => (dice[die] ? [[die, dice[die]] as const] : []));
export const isEmpty = (tray: Tray) => all(tray).length === 0;

/** The dice of a tray as one would say them: `2d6`, `d20`. */
export const gathered = (tray: Tray) => all(tray).map(([die, count]) => ({ die, text: count === 1 ? die : `${count}${die}` }));

/** `2d6 + d8 + 3`. A single die with advantage is two of which one counts, anything else is thrown twice as a whole. */
export function written(tray: Tray): string {
  const thrown = all(tray);
  const modifier = tray.modifier === 0 ? '' : ` ${tray.modifier < 0 ? '-' : '+'} ${Math.abs(tray.modifier)}`;
  const plain = gathered(tray).map(({ text }) => text).join(' + ') + modifier;
  if (tray.luck === 'plain' || thrown.length === 0) return plain;
  const [die, count] = thrown[0]!;
  if (thrown.length === 1 && count === 1) return `2${die}${SUFFIX[tray.luck]}${modifier}`;
  return `times(2, ${plain}) ${SUFFIX[tray.luck]}`;
}

/** The tray that a text stands for; null if no taps make it. */
export function read(text: string): Tray | null {
  const twice = /^times\(2, (.+)\) (kh1|kl1)$/.exec(text.trim());
  const tray = terms(twice?.[1] ?? text);
  if (!tray) return null;
  if (!twice) return tray;
  return tray.luck === 'plain' ? { ...tray, luck: twice[2] === 'kh1' ? 'advantage' : 'disadvantage' } : null;
}

function terms(text: string): Tray | null {
  const tray: Tray = { dice: {}, modifier: 0, luck: 'plain' };
  const parts = text.trim().replaceAll(/\s*([+-])\s*/g, ' $1').split(' ').filter(Boolean);
  for (const part of parts) {
    const number = /^[+-]?\d{1,4}$/.exec(part);
    const [, sign, count, die, suffix] = /^([+-]?)(\d{0,2})(d(?:20|12|10|8|6|4|%))(kh1|kl1)?$/.exec(part) ?? [];
    if (number) tray.modifier += Number(part);
    else if (!die || sign === '-' || (suffix && (count !== '2' || tray.luck !== 'plain'))) return null;
    else {
      if (suffix) tray.luck = suffix === 'kh1' ? 'advantage' : 'disadvantage';
      tray.dice[die as Die] = (tray.dice[die as Die] ?? 0) + (suffix ? 1 : Number(count || 1));
    }
  }
  const single = all(tray).length === 1 && Object.values(tray.dice)[0] === 1;
  return isEmpty(tray) || (tray.luck !== 'plain' && !single) ? null : tray;
}

/** One die more, or one less. */
export function tapped(tray: Tray, die: Die, by = 1): Tray {
  const count = Math.max(0, Math.min(MOST, (tray.dice[die] ?? 0) + by));
  const { [die]: _, ...rest } = tray.dice;
  return { ...tray, dice: count > 0 ? { ...rest, [die]: count } : rest };
}
