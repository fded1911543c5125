// The colours that were chosen on the page, and the list of chapters open where it has a place of its own.
try {
  const theme = localStorage.getItem('astragal.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // without storage, the system's choice stands
}
addEventListener('DOMContentLoaded', () => {
  document.querySelector('nav details').open = matchMedia('(min-width: 960px)').matches;
  document.querySelector('nav [aria-current]')?.scrollIntoView({ block: 'nearest' });
});
