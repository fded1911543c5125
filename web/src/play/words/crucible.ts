// Crucible as players say it.

import type { ParameterWords, SystemWords } from '../words';

const boons: ParameterWords = { title: 'Boons', help: 'Each +1, and a larger die.', min: 0, max: 6, tone: 'good' };
const banes: ParameterWords = { title: 'Banes', help: 'Each −1, and a smaller die.', min: 0, max: 6, tone: 'bad' };
const ability: ParameterWords = { title: 'Ability', help: '', min: 0, max: 20 };
const skill: ParameterWords = { title: 'Skill', help: '', min: 0, max: 20 };
const enchantment: ParameterWords = { title: 'Enchantment', help: '', min: 0, max: 20 };
const mode: ParameterWords = {
  title: 'Rules',
  help: 'The published code gives no flat modifier.',
  variants: { book: 'Book', foundry: 'Published code' },
};
const cancel: ParameterWords = {
  title: 'Boons and banes',
  help: 'Whether they change the same dice.',
  variants: { together: 'Together', apart: 'Apart' },
};

export const crucible: SystemWords = {
  title: 'Crucible',
  about: '3d8 with boons and banes',
  die: 'd8',
  rules: {
    check: {
      title: 'Check',
      first: ['dc', 'boons', 'banes', 'ability', 'skill', 'enchantment'],
      parameters: {
        dc: { title: 'Difficulty (DC)', help: '', min: 0, max: 60, start: '15' },
        boons,
        banes,
        ability,
        skill,
        enchantment,
        mode,
        cancel,
      },
    },
    roll: {
      title: 'Without a DC',
      first: ['boons', 'banes', 'ability', 'skill', 'enchantment'],
      parameters: { boons, banes, ability, skill, enchantment, mode, cancel },
    },
    pool: {
      title: 'The three dice',
      parameters: { boons, banes, base: { title: 'Sizes to begin with', help: 'Normally 8, 8, 8.' }, cancel },
    },
    modifier: { title: 'Flat modifier', parameters: { boons, banes } },
  },
};
