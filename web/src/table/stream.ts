// Server-sent events by `fetch`, which can send a header: a seat's secret belongs in no address.

export type Sent = { event: string; id: string | null; data: string };

/** The events of one connection, until it ends. `heard` is told of every sign of life, comments too. */
export async function* events(body: ReadableStream<Uint8Array>, heard: () => void): AsyncGenerator<Sent & { retry?: number }> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let rest = '';
  let one = fresh();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    heard();
    // A carriage return at the very end may belong to a line feed that is still to come.
    const held = (rest + value).match(/\r$/) ? '\r' : '';
    const lines = (rest + value).slice(0, held ? -1 : undefined).split(/\r\n|\n|\r/);
    rest = lines.pop()! + held;
    for (const line of lines) {
      if (line !== '') take(one, line);
      else {
        if (one.data.length || one.retry !== undefined) yield finished(one);
        one = fresh();
      }
    }
  }
}

type Growing = { event: string; id: string | null; data: string[]; retry: number | undefined };
const fresh = (): Growing => ({ event: 'message', id: null, data: [], retry: undefined });

function take(one: Growing, line: string) {
  const [, field, value] = /^([^:]*):? ?([^]*)$/.exec(line)!;
  if (field === 'event') one.event = value!;
  else if (field === 'data') one.data.push(value!);
  else if (field === 'id') one.id = value!;
  else if (field === 'retry' && /^\d+$/.test(value!)) one.retry = Number(value);
}

function finished({ event, id, data, retry }: Growing) {
  const sent = { event: data.length ? event : 'retry', id, data: data.join('\n') };
  return retry === undefined ? sent : { ...sent, retry };
}
