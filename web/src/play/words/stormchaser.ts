// Stormchaser as players say it.

import type { ParameterWords, SystemWords } from '../words';

const plus: ParameterWords = { title: '+1d', help: 'Each adds a d20; the highest counts.', min: 0, max: 12, tone: 'good' };
const minus: ParameterWords = {
  title: '−1d',
  help: 'Each takes a d20 away; below one the lowest counts.',
  min: 0,
  max: 12,
  tone: 'bad',
};
const proficient: ParameterWords = { title: 'Proficient', help: 'One more die in the pool.' };
const lucky: ParameterWords = { title: 'Lucky', help: 'A 1 is thrown again, once.' };

export const stormchaser: SystemWords = {
  title: 'Stormchaser',
  about: 'A pool of d20 with +1d and −1d',
  die: 'd20',
  rules: {
    check: {
      title: 'Check, attack, defence',
      first: ['dc', 'modifier', 'plus', 'minus', 'proficient', 'lucky'],
      parameters: {
        dc: { title: 'Difficulty (DC)', min: 0, max: 60 },
        modifier: { title: 'Modifier', min: -20, max: 30 },
        plus,
        minus,
        kind: { title: 'What is rolled', variants: { check: 'Check', attack: 'Attack', defence: 'Defence' } },
        proficient,
        lucky,
        grants: { title: 'Granted by', help: 'Rules that grant the proficiency die; it is added once.' },
        statblock: { title: 'From a stat block', help: 'A monster’s numbers hold the proficiency die already.' },
        proficiency_die: {
          title: 'Proficiency die',
          help: 'Sides of a die that is added to the total; 0 is one more d20 in the pool.',
          min: 0,
          max: 20,
        },
        reroll: { title: 'Reroll one die', help: 'If the roll would fail, one die is thrown again.' },
      },
    },
    roll: { title: 'The d20 alone', parameters: { plus, minus, proficient, lucky } },
    damage: {
      title: 'Damage',
      parameters: { dice: { title: 'Damage dice', help: 'All are thrown once more for each +1d.' }, plus, minus },
    },
    pool: { title: 'Dice in the pool', parameters: { plus, minus } },
  },
};
