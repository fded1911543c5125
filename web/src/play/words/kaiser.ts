// Kaiser as players say it.

import type { ParameterWords, SystemWords } from '../words';

const difficulty: ParameterWords = { title: 'Difficulty', help: 'Equal or above succeeds.', min: 0, max: 60 };
const skill: ParameterWords = { title: 'Skill', help: '', min: 0, max: 30 };
const advantage: ParameterWords = {
  title: 'Advantage',
  help: 'Each a die more; the highest two count.',
  min: 0,
  max: 10,
  tone: 'good',
};
const disadvantage: ParameterWords = {
  title: 'Disadvantage',
  help: 'Each a die more; the lowest two count.',
  min: 0,
  max: 10,
  tone: 'bad',
};
const fumble: ParameterWords = {
  title: 'Fumble degree',
  help: 'From −3, hardly ever, to 5, on any double.',
  min: -3,
  max: 5,
};
const method: ParameterWords = {
  title: 'Throwing',
  help: 'All dice at once, or few and reroll.',
  variants: { keep: 'All', reroll: 'Few' },
};
const tie: ParameterWords = {
  title: 'A tie',
  help: '',
  variants: { defender: 'Defender wins', rolloff: 'Roll-off', attack: 'Attack misses', open: 'Left open' },
};
const sideWords = { skill, advantage, disadvantage, fumble, method };

export const kaiser: SystemWords = {
  title: 'Kaiser',
  about: '2d6 with open rolls and fumbles',
  die: 'd6',
  rules: {
    skill: {
      title: 'Skill check',
      first: ['skill', 'difficulty', 'advantage', 'disadvantage', 'fumble'],
      parameters: {
        skill,
        difficulty,
        advantage,
        disadvantage,
        fumble: { ...fumble, from: 'fumble_degree' },
        method,
        read: {
          title: 'Read for fumbles and open rolls',
          help: '',
          variants: { counted: 'Dice that count', all: 'All dice' },
        },
      },
    },
    opposed: {
      title: 'Opposed skills',
      parameters: {
        attacker: { title: 'Attacker', help: '', fields: sideWords },
        defender: { title: 'Defender', help: '', fields: sideWords },
        tie,
        fumble_loses: { title: 'A fumble cannot win', help: '' },
      },
    },
    characteristic: {
      title: 'Characteristic',
      parameters: { value: { title: 'Characteristic', help: '', min: 0, max: 20 }, difficulty },
    },
    opposed_characteristic: {
      title: 'Opposed characteristics',
      parameters: {
        a: { title: 'Attacker', help: '', min: 0, max: 20 },
        b: { title: 'Defender', help: '', min: 0, max: 20 },
        tie,
      },
    },
    resistance: {
      title: 'Resistance',
      first: ['value', 'difficulty', 'advantage', 'disadvantage', 'kind'],
      parameters: {
        value: { title: 'Resistance', help: '', min: 0, max: 30 },
        difficulty,
        advantage,
        disadvantage,
        kind: {
          title: 'Kind',
          help: '',
          variants: { PrR: 'Presence', PhR: 'Physical', IR: 'Immune', SR: 'Spirit', MR: 'Mental' },
        },
        method,
      },
    },
    degree: { title: 'Degrees', parameters: { total: { title: 'Total', help: '', min: 0, max: 60 }, difficulty } },
    change_degree: {
      title: 'Changing a degree',
      parameters: { degree: { title: 'Degree', help: '' }, by: { title: 'Change', help: '' } },
    },
    level: { title: 'Advantage left', parameters: { advantage, disadvantage } },
    dice: { title: 'The two dice', parameters: { advantage, disadvantage, method } },
    open_extra: { title: 'Open roll' },
    fumble_degree: {
      title: 'Fumble degree',
      parameters: { changes: { title: 'Changes', help: 'Above and below 0; they add.' } },
    },
  },
};
