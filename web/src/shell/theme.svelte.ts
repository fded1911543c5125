// Light, dark, or as the system says. The choice is an attribute of the page, which app.css turns into colours.

export type Theme = 'system' | 'light' | 'dark';
const KEY = 'astragal.theme';

let theme = $state<Theme>('system');

export const chosen = {
  get theme() {
    return theme;
  },
};

/** Whether the page is dark now, by choice or by the system's. */
export const isDark = () =>
  theme === 'dark' || (theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);

export function choose(next: Theme) {
  theme = next;
  if (next === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = next;
  try {
    localStorage.setItem(KEY, next);
  } catch {
    // the choice then lasts as long as the page
  }
}

/** Takes up the choice of the last visit, before anything is drawn. */
export function recall() {
  try {
    const kept = localStorage.getItem(KEY);
    if (kept === 'light' || kept === 'dark') choose(kept);
  } catch {
    // without storage, the system's choice stands
  }
}
