// What a call comes to before any die is thrown, with the rule's notes: a pool from Attribute and Skill, a list of
// modifiers. It is a roll like any other, only of a rule that throws nothing.

import { ask } from '../engine/client';
import type { Source } from '../engine/types';
import { said, type Shown } from '../roll/pools';

export class Work {
  value = $state('');
  notices = $state.raw<string[] | null>(null);
  refused = $state('');

  #newest = 0;

  async out(source: Source) {
    const mine = ++this.#newest;
    const answer = await ask({ ask: 'roll', seed: '1', ...source }, { lane: 'roll' }).catch(() => null);
    if (mine !== this.#newest || !answer) return;
    this.refused = answer.ok ? '' : (answer.diagnostics[0]?.message ?? '');
    this.value = answer.ok ? said(answer.roll.value as Shown) : '';
    this.notices = answer.ok ? (answer.roll.notices as string[]) : null;
  }
}
