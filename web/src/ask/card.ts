// The language on a card: what one needs nine times out of ten, each line a program that can be tried.

export type Line = { write: string; means: string };
export type Part = { title: string; lines: Line[] };

export const CARD: Part[] = [
  {
    title: 'Dice',
    lines: [
      { write: '2d6 + 3', means: 'two dice and a bonus' },
      { write: 'd% <= 45', means: 'a yes or no, with its chance' },
      { write: '4dF', means: 'fudge dice' },
      { write: '2d{1, 1, 2, 3}', means: 'faces of your own' },
    ],
  },
  {
    title: 'After the dice',
    lines: [
      { write: '4d6kh3', means: 'keep the highest three (kl: lowest)' },
      { write: '2d20kh1 + 5', means: 'advantage' },
      { write: '2d6ro<=2', means: 'reroll once (rr: until it is over)' },
      { write: '5d6!', means: 'sixes explode, for ever' },
      { write: '7d10cs>=8', means: 'count successes' },
    ],
  },
  {
    title: 'Programs',
    lines: [
      { write: 'let hit = d20 + 5 >= 15\nif hit then 2d6 + 3 else 0', means: 'throw once, then decide' },
      { write: 'param bonus = 5\nd20 + bonus >= 15', means: 'an input with a slider' },
      { write: 'show "sword" = d8 + 3\nshow "axe" = 2d6', means: 'compare results' },
      { write: 'times(6, 4d6kh3) kh1', means: 'do it six times, keep the best' },
      { write: 'fn attack(bonus) = d20 + bonus >= 15\nattack(7)', means: 'a rule with a name' },
      { write: 'let die = d20\ndie + 5 given die >= 10', means: 'what is already known' },
    ],
  },
];
