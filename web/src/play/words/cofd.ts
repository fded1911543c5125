// Chronicles of Darkness as players say it.

import type { ParameterWords, SystemWords } from '../words';

const pool: ParameterWords = {
  title: 'Dice pool',
  help: 'Attribute + Skill. Below one die it is a chance die.',
  min: -10,
  max: 40,
  from: 'pool',
};
const again: ParameterWords = {
  title: 'Thrown again',
  help: 'Tens, nines and tens, every success, or no dice.',
  choices: [
    { value: '10', title: '10-again' },
    { value: '9', title: '9-again' },
    { value: '8', title: '8-again' },
    { value: '11', title: 'none' },
  ],
};
const rote: ParameterWords = { title: 'Rote action', help: 'Dice that fail are thrown again, once.' };

export const cofd: SystemWords = {
  title: 'Chronicles of Darkness',
  about: 'Pools of d10; 8, 9 and 10 succeed',
  die: 'd10',
  rules: {
    action: {
      title: 'Action',
      first: ['pool', 'again', 'rote', 'willpower', 'extra'],
      parameters: {
        pool,
        again,
        rote,
        willpower: { title: 'Willpower', help: 'Three more dice.' },
        extra: { title: 'Extra successes', help: 'Added if the roll succeeds.', min: 0, max: 20 },
        needed: { title: 'Successes needed', help: 'Normally one.', min: 1, max: 20 },
        take_beat: { title: 'Take a Beat', help: 'A failure becomes a dramatic failure.' },
        rote_every_throw: { title: 'Rote on every throw', help: 'The other reading: any throw of a die may be the one.' },
        rote_chance: { title: 'Rote chance die rerolls', help: '', variants: { failures: '2 to 9', letter: '2 to 7' } },
        exceptional: { title: 'Five successes', help: '', variants: { rolled: 'Rolled', total: 'With extra' } },
      },
    },
    pool: {
      title: 'Dice pool',
      first: ['attribute', 'skill', 'specialty', 'bonuses', 'penalties', 'untrained'],
      parameters: {
        attribute: { title: 'Attribute', help: '', min: 0, max: 10 },
        skill: { title: 'Skill', help: 'Or a second Attribute.', min: 0, max: 10 },
        specialty: { title: 'Specialty', help: 'One die, however many fit.' },
        bonuses: { title: 'Bonuses', help: 'Equipment, circumstances.' },
        penalties: { title: 'Penalties', help: 'As numbers above 0.' },
        untrained: {
          title: 'Untrained',
          help: '',
          variants: { none: 'No', mental: 'Mental −3', physical: 'Physical −1', social: 'Social −1' },
        },
      },
    },
    outcome: { title: 'Reading successes', parameters: { successes: { title: 'Successes', min: 0, max: 20 } } },
    damage: { title: 'Attack damage', parameters: { pool, weapon: { title: 'Weapon bonus', min: 0, max: 10 }, again } },
    attempts: {
      title: 'Trying again',
      parameters: {
        pool,
        tries: { title: 'Tries', help: 'At most so many.', min: 1, max: 10 },
        pressure: { title: 'Under pressure', help: 'Each try costs one die more.' },
        again,
      },
    },
    teamwork: {
      title: 'Teamwork',
      parameters: {
        pool: { ...pool, title: 'Primary actor’s pool' },
        helpers: { title: 'Helpers’ pools', help: 'They roll first; each success is a bonus die.' },
        again,
        rote,
        dramatic: {
          title: 'Helpers’ dramatic failures',
          help: 'Four dice less.',
          variants: { once: 'Once', each: 'For each' },
        },
      },
    },
    contested: {
      title: 'Contested',
      parameters: { pool_a: { ...pool, title: 'Pool of A' }, pool_b: { ...pool, title: 'Pool of B' } },
      outcomes: { a: 'A wins', b: 'B wins', tie: 'A tie' },
      parts: { a: 'successes of A', b: 'successes of B' },
    },
    extended: {
      title: 'Extended',
      parameters: {
        pool,
        target: { title: 'Successes needed', help: 'In all.', min: 1, max: 50 },
        rolls: { title: 'Rolls at most', min: 1, max: 20 },
      },
    },
  },
};
