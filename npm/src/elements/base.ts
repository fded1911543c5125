// What both elements share: one thread for a whole page, their text, and how they look.

import { ownParts } from '../engine.js';
import { Lane } from '../lane.js';
import type { Pen } from '../pen.js';
import { penSheet, sheet } from './style.js';

let lane: Lane | undefined;

/** Asks the engine, which is loaded when somebody first asks: its first part is enough for most. */
export async function ask<T>(request: object, signal: AbortSignal): Promise<T> {
  lane ??= new Lane(ownParts());
  return JSON.parse(await lane.run(JSON.stringify(request), signal)) as T;
}

// On a server there are no elements; whoever imports this there only wants the names.
const Base = (typeof HTMLElement === 'undefined' ? class {} : HTMLElement) as typeof HTMLElement;

/** An element whose text is a program. The attribute `program` counts before the text, `set` has its inputs: `set="bonus=5, dc=15"`. */
export abstract class ProgramElement extends Base {
  static observedAttributes = ['program', 'set', 'view', 'label', 'seed'];
  #asked = new AbortController();
  #watched: MutationObserver | undefined;

  connectedCallback() {
    if (!this.shadowRoot) this.attachShadow({ mode: 'open' }).adoptedStyleSheets = [sheet()];
    // A parser may come to the text later than to the element.
    this.#watched ??= new MutationObserver(() => this.changed());
    this.#watched.observe(this, { childList: true, characterData: true, subtree: true });
    this.changed();
  }

  disconnectedCallback() {
    this.#watched?.disconnect();
    this.#asked.abort();
  }

  attributeChangedCallback() {
    if (this.isConnected && this.shadowRoot) this.changed();
  }

  /** Its program, or what it says, is another. */
  protected abstract changed(): void;

  get program(): string {
    return this.getAttribute('program') ?? this.textContent?.trim() ?? '';
  }
  set program(text: string) {
    this.setAttribute('program', text);
  }

  /** The program with its inputs, as it is asked for. */
  protected source() {
    const pairs = (this.getAttribute('set') ?? '').split(/[,;]/).map((pair) => pair.split('='));
    const inputs = pairs.filter(([name, value]) => /^\s*\w+\s*$/.test(name ?? '') && value?.trim()).map(([name, value]) => [name!.trim(), value!.trim()]);
    // What is set and not declared is declared by being set.
    const declared = inputs.filter(([name]) => !new RegExp(`\\bparam\\s+${name}\\b`).test(this.program));
    const lines = declared.map(([name, value]) => `param ${name} = ${value}\n`);
    return { text: lines.join('') + this.program, files: {}, inputs: Object.fromEntries(inputs) as Record<string, string> };
  }

  /** A new question ends the one before it. */
  protected fresh(): AbortSignal {
    this.#asked.abort();
    this.#asked = new AbortController();
    return this.#asked.signal;
  }

  /** Charts look as the pen says, once it is there. */
  protected styled(pen: Pen) {
    this.shadowRoot!.adoptedStyleSheets = [penSheet(pen), sheet()];
  }

  protected show(...nodes: Node[]) {
    this.shadowRoot!.replaceChildren(...nodes);
  }
}

type Child = Node | string | false | null | undefined;

/** A piece of HTML; texts are texts, whatever stands in them. */
export function html(name: string, attributes: Record<string, string> = {}, ...children: Child[]): HTMLElement {
  return filled(document.createElement(name), attributes, children);
}

/** A piece of SVG. */
export function svg(name: string, attributes: Record<string, string | number> = {}, ...children: Child[]): SVGElement {
  return filled(document.createElementNS('http://www.w3.org/2000/svg', name), attributes, children);
}

function filled<E extends Element>(element: E, attributes: Record<string, string | number>, children: Child[]): E {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children.filter((child): child is Node | string => child !== false && child != null));
  return element;
}

/** What went wrong, in the words of the engine. */
export function trouble(words: string): HTMLElement {
  return html('pre', { role: 'alert', class: 'trouble' }, words);
}
