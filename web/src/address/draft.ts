// The one draft that earlier versions of the page kept: it becomes the first of many (see keep/drafts.svelte.ts).

import { check, type State } from './state';

const KEY = 'astragal.draft';

export function loadDraft(): State | null {
  try {
    return check(JSON.parse(localStorage.getItem(KEY) ?? 'null'));
  } catch {
    return null;
  }
}
