// <astragal-odds>4d6kh3</astragal-odds>: the exact odds of a program, drawn.

import { loadPen, type Pen } from '../pen.js';
import type { OddsAnswer, Result, View } from '../said.js';
import { ask, html, ProgramElement, trouble } from './base.js';
import { columns, table, WORDS } from './chart.js';

type Known = Extract<OddsAnswer, { ok: true }>;
const VIEWS: View[] = ['exactly', 'at_least', 'at_most'];
let count = 0;

export class AstragalOdds extends ProgramElement {
  #visible: IntersectionObserver | undefined;
  #answer: Known | undefined;
  #pen: Pen | undefined;
  #asked = '';
  #name = `astragal-view-${count++}`;

  override connectedCallback() {
    // What nobody looks at need not be loaded.
    this.#visible ??= new IntersectionObserver((seen) => {
      if (seen.some(({ isIntersecting }) => isIntersecting)) {
        this.#visible?.disconnect();
        this.#visible = undefined;
        this.changed();
      }
    }, { rootMargin: '200px' });
    this.#visible.observe(this);
    super.connectedCallback();
  }

  override disconnectedCallback() {
    this.#visible?.disconnect();
    super.disconnectedCallback();
  }

  /** What is drawn: `exactly`, `at_least` or `at_most`. */
  get view(): View {
    const named = this.getAttribute('view')?.replace('-', '_') as View;
    return VIEWS.includes(named) ? named : 'exactly';
  }
  set view(view: View) {
    this.setAttribute('view', view);
  }

  protected changed() {
    const request = { ask: 'odds', ...this.source() };
    const asked = JSON.stringify(request);
    if (asked === this.#asked && this.#answer) return this.#draw();
    if (!this.shadowRoot!.hasChildNodes()) this.show(html('p', { class: 'faint' }, html('code', {}, this.program)));
    if (this.#visible || !this.program) return;
    this.#asked = asked;
    void this.#ask(request);
  }

  async #ask(request: object) {
    const signal = this.fresh();
    try {
      const [answer, pen] = await Promise.all([ask<OddsAnswer>(request, signal), loadPen()]);
      if (signal.aborted) return;
      this.styled((this.#pen = pen));
      this.#answer = answer.ok ? answer : undefined;
      if (answer.ok) this.#draw();
      else this.show(trouble(answer.diagnostics.map(({ rendered }) => rendered).join('\n\n')));
      this.dispatchEvent(new CustomEvent('astragal-odds', { detail: answer }));
    } catch (failure) {
      if (!signal.aborted) this.show(trouble(String(failure)));
    }
  }

  #draw() {
    const focused = this.shadowRoot!.activeElement?.getAttribute('value');
    const results = this.#answer!.results;
    const figures = results.map((result) => this.#figure(result, results.length > 1));
    const numbers = results.some(({ kind, rows }) => kind === 'number' && rows.length > 1);
    this.show(...figures, ...(numbers ? [this.#views()] : []));
    if (focused) this.shadowRoot!.querySelector<HTMLInputElement>(`input[value="${focused}"]`)?.focus();
  }

  #figure(result: Result, several: boolean): HTMLElement {
    const title = [result.name, result.field].filter(Boolean).join(': ') || (several ? '' : this.program);
    const mean = result.mean && html('span', { class: 'faint' }, `mean ${result.mean.text}`, result.deviation ? `, deviation ${result.deviation}` : '');
    const caption = html('figcaption', {}, html('code', {}, title), mean);
    const rest = result.rest && html('p', { class: 'faint' }, `not listed: ${result.rest.percent}`);
    if (result.held || !result.rows.length) return html('figure', {}, caption, html('p', { class: 'faint' }, result.sentence));
    if (result.kind !== 'number') return html('figure', {}, caption, table(result, 'exactly', true), rest);
    const list = html('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': `Table of ${title}` }, table(result, this.view, false));
    return html('figure', {}, caption, columns(this.#pen!, result, this.view), rest, html('details', {}, html('summary', {}, 'Table'), list));
  }

  #views(): HTMLElement {
    const choices = VIEWS.map((view) => {
      const input = html('input', { type: 'radio', name: this.#name, value: view }) as HTMLInputElement;
      input.checked = view === this.view;
      input.addEventListener('change', () => (this.view = view));
      return html('label', {}, input, WORDS[view]);
    });
    return html('fieldset', {}, html('legend', {}, 'What is shown'), ...choices);
  }
}
