// <astragal-roll>4d6kh3</astragal-roll>: a button that rolls and explains.

import type { RollAnswer } from '../said.js';
import { ask, html, ProgramElement, trouble } from './base.js';

export class AstragalRoll extends ProgramElement {
  #button: HTMLElement | undefined;
  #said: HTMLElement | undefined;
  #asked = '';

  protected changed() {
    const asked = JSON.stringify([this.source(), this.getAttribute('label')]);
    if (asked === this.#asked) return;
    this.#asked = asked;
    this.#button = html('button', { type: 'button' }, this.getAttribute('label') ?? `Roll ${this.program}`);
    this.#button.addEventListener('click', () => void this.roll());
    // What comes up is read out as soon as it is there.
    this.#said = html('div', { role: 'status' });
    this.show(this.#button, this.#said);
  }

  /** Rolls once. The attribute `seed` makes it the same roll each time. */
  async roll(): Promise<RollAnswer | undefined> {
    const signal = this.fresh();
    const seed = this.getAttribute('seed') ?? undefined;
    this.#button?.setAttribute('aria-busy', 'true');
    try {
      const answer = await ask<RollAnswer>({ ask: 'roll', ...this.source(), seed }, signal);
      if (signal.aborted) return;
      this.#tell(answer);
      this.dispatchEvent(new CustomEvent('astragal-roll', { detail: answer, bubbles: true }));
      return answer;
    } catch (failure) {
      if (!signal.aborted) this.#said?.replaceChildren(trouble(String(failure)));
    } finally {
      if (!signal.aborted) this.#button?.removeAttribute('aria-busy');
    }
    return undefined;
  }

  #tell(answer: RollAnswer) {
    if (!answer.ok) {
      this.#said?.replaceChildren(trouble(answer.diagnostics.map(({ rendered }) => rendered).join('\n\n')));
      return;
    }
    const value = answer.values?.join(', ') ?? '';
    this.#said?.replaceChildren(html('p', { class: 'value' }, value), html('p', { class: 'lines' }, answer.lines.join('\n')));
  }
}
