// The colours that were chosen on the page, the list of chapters open where it has a place of its own, and programs that run
// where they stand.
let theme = null;
try {
  theme = localStorage.getItem('astragal.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // without storage, the system's choice stands
}
addEventListener('DOMContentLoaded', () => {
  document.querySelector('nav details').open = matchMedia('(min-width: 960px)').matches;
  document.querySelector('nav [aria-current]')?.scrollIntoView({ block: 'nearest' });
  for (const button of document.querySelectorAll('button.run')) {
    button.hidden = false;
    button.addEventListener('click', () => run(button));
  }
});

/** Shows the program's odds below it, as any page may that embeds them; a second press takes them away. */
function run(button) {
  const program = button.closest('.program');
  const was = button.getAttribute('aria-expanded') === 'true';
  program.querySelector('iframe')?.remove();
  for (const other of program.querySelectorAll('button.run')) other.setAttribute('aria-expanded', 'false');
  if (was) return;
  button.setAttribute('aria-expanded', 'true');
  const [page, state] = button.parentElement.querySelector('a.try').href.split('#');
  const frame = document.createElement('iframe');
  frame.title = 'The odds of this program';
  frame.src = `${page}embed.html${theme === 'light' || theme === 'dark' ? `?theme=${theme}` : ''}#${state}`;
  // As high as what it shows, also when a slider or a view changes that.
  frame.addEventListener('load', () => {
    const inside = frame.contentDocument.documentElement;
    const BORDERS = 2;
    const fit = () => {
      const high = inside.querySelector('main')?.scrollHeight ?? 0;
      frame.style.height = `${Math.min(3000, Math.max(120, high)) + BORDERS}px`;
    };
    new ResizeObserver(fit).observe(inside.querySelector('main') ?? inside);
    fit();
  });
  program.append(frame);
}
