// What was being written survives a closed tab. Storage may be full or forbidden; then nothing is kept, and nothing
// else changes.

import { check, type State } from './state';

const KEY = 'astragal.draft';

export function loadDraft(): State | null {
  try {
    return check(JSON.parse(localStorage.getItem(KEY) ?? 'null'));
  } catch {
    return null;
  }
}

export function saveDraft(state: State) {
  try {
    localStorage.setItem(KEY, JSON.stringify(state));
  } catch {
    // a draft is a kindness, not a promise
  }
}
