// The table's HTTP (docs/table-api.md): what goes up, and what is read.

/** A refusal of the server, in its words. */
export class Refusal extends Error {
  override name = 'Refusal';
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly help: string,
    readonly expected: unknown,
    /** Seconds to wait, where that would help. */
    readonly after: number | null,
  ) {
    super(message);
  }
  /** For people: fact and help as sentences. */
  get words(): string {
    const said = [this.message, this.help].filter(Boolean).flatMap((one) => one.split('; '));
    return said.map((one) => `${one.charAt(0).toUpperCase()}${one.slice(1)}.`).join(' ');
  }
}
/** The server was not reached: nobody knows whether it has heard. */
export class Unreached extends Error {
  override name = 'Unreached';
}

/** The folder that the page and `api` lie in: the page stands at `/t/…` or is `/table.html`. */
export const root = new URL(location.pathname.replace(/(t\/[^/]*|[^/]*)$/, ''), location.origin).href;
/** The address of a table for people; the part behind `#` reaches no server. */
export const linkTo = (table: string, secret: string) => `${root}t/${table}#${secret}`;

export type Links = { owner: string; player: string; watch: string };
export type Made = { table: string; links: Links; line: string; head: string };
export type About = {
  table: string;
  you: { role: 'owner' | 'player' | 'watch' | 'seat'; seat?: number };
  seq: number;
  hash: string;
  ended: boolean;
  next_seat: number;
};
export type Words = { seq: number; hash: string; salt: string; words: string };

export class Api {
  /** Of the seat that this browser has. */
  token: string | null = null;
  constructor(
    readonly table: string,
    /** The secret of the link. */
    readonly link: string,
  ) {}

  /** What the table is to this browser; a token that the server does not know (yet) is none. */
  async about(token: string | null): Promise<About> {
    this.token = token;
    try {
      return await this.#json<About>('GET', '');
    } catch (failure) {
      if (token === null || !this.link || !(failure instanceof Refusal) || failure.status !== 401) throw failure;
      return this.about(null);
    }
  }

  /** What the device has to send. */
  post = (path: string, body: string) => this.#text('POST', `/${path}`, body);
  /** A link seats; all else is done as the seat. */
  #secret = (path: string) => (path === '/seats' || this.token === null ? this.link : this.token);
  /** The log for people: what was rolled, called and said, as a table. */
  asTable = (kind: 'csv' | 'markdown') => this.#text('GET', '/log', undefined, { accept: `text/${kind}` });
  newLink = (role: 'player' | 'watch'): Promise<{ role: string; secret: string }> => this.#json('POST', '/links', JSON.stringify({ role }));

  /** What happens, from after line `since` on. */
  async events(since: number | null, signal: AbortSignal): Promise<Response> {
    const headers: Record<string, string> = { accept: 'text/event-stream' };
    if (since !== null) headers['last-event-id'] = String(since);
    // Who begins anew is told again all that only they may see.
    return this.#fetch('GET', since === null ? '/events?aside=0' : '/events', { headers, signal, cache: 'no-store' });
  }

  async #json<T>(method: string, path: string, body?: string): Promise<T> {
    return JSON.parse(await this.#text(method, path, body)) as T;
  }
  async #text(method: string, path: string, body?: string, headers?: Record<string, string>): Promise<string> {
    const json = body ? { body, headers: { 'content-type': 'application/json' } } : { headers };
    // An answer that is cut off was not heard either.
    const answer = await this.#fetch(method, path, { ...json, signal: AbortSignal.timeout(20_000) });
    return answer.text().catch(() => Promise.reject(new Unreached('the answer was cut off')));
  }
  #fetch(method: string, path: string, options: RequestInit): Promise<Response> {
    const headers = { ...options.headers, authorization: `Bearer ${this.#secret(path)}` };
    return reach(`api/tables/${this.table}${path}`, { ...options, method, headers });
  }
}

/** Makes a table. */
export async function make(): Promise<Made> {
  const answer = await reach('api/tables', { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } });
  return (await answer.json()) as Made;
}

async function reach(path: string, options: RequestInit): Promise<Response> {
  let answer: Response;
  try {
    answer = await fetch(root + path, { ...options, referrerPolicy: 'no-referrer', credentials: 'omit' });
  } catch (failure) {
    throw new Unreached('the server was not reached', { cause: failure });
  }
  if (answer.ok) return answer;
  throw await refusal(answer);
}

/** A proxy or a host of plain files refuses without a code. */
async function refusal(answer: Response): Promise<Refusal> {
  const told = await answer.json().catch(() => ({})) as Record<string, unknown>;
  const text = (field: string) => (typeof told[field] === 'string' ? (told[field] as string) : '');
  const after = Number(answer.headers.get('retry-after'));
  const code = text('code') || 'no-table-server';
  return new Refusal(answer.status, code, text('detail') || `the server answers ${answer.status}`, text('help'), told.expected, after || null);
}
