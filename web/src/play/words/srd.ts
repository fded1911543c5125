// The d20 basics as players say them.

import type { ParameterWords, SystemWords } from '../words';

const value: ParameterWords = { title: 'Value', help: 'A number or a roll.' };
const kind = [
  'ability:dex',
  'armor',
  'circumstance',
  'competence',
  'deflection',
  'dodge',
  'enhancement',
  'insight',
  'luck',
  'morale',
  'natural_armor',
  'natural_armor_improvement',
  'sacred',
  'size',
];

export const srd: SystemWords = {
  title: 'd20 basics',
  about: 'd20 + modifiers against a target',
  die: 'd20',
  rules: {
    check: {
      title: 'Check',
      parameters: {
        modifier: { title: 'Modifier', help: 'What is added to the d20.', min: -20, max: 40, from: 'modifier' },
        target: { title: 'Target number', help: 'Equal or above succeeds.', min: 0, max: 60 },
        natural_20: { title: 'A natural 20 succeeds', help: 'Off in the basics; many games switch it on.' },
        natural_1: { title: 'A natural 1 fails', help: 'Off in the basics; many games switch it on.' },
      },
    },
    modifier: {
      title: 'What stacks',
      parameters: {
        modifiers: {
          title: 'Modifiers',
          help: 'Bonuses and penalties, with their type and where they come from.',
          suggestions: { kind },
          fields: { kind: { title: 'Type' } },
          judged: true,
        },
        context: {
          title: 'For',
          help: 'What the modifiers are for.',
          variants: {
            check: 'Check',
            attack: 'Attack',
            damage: 'Damage',
            ac: 'Armor Class',
            touch: 'Touch attack',
            dodge: 'Dodge roll',
            deflection: 'Deflection roll',
          },
        },
      },
    },
    percentile: {
      title: 'Percentile dice',
      parameters: { tens: { title: 'Tens', min: 0, max: 9 }, ones: { title: 'Ones', min: 0, max: 9 } },
    },
    round: { title: 'Rounding', parameters: { value } },
    at_least_one: { title: 'At least 1', parameters: { value } },
    multiply: { title: 'Multiplying', parameters: { value } },
    multiply_real: { title: 'Weights and distances', parameters: { value } },
  },
};
