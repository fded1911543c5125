// The thread in which the device lives: the small module of crates/seat-wasm. One request as text, one answer as text, in their order.

type Door = { memory: WebAssembly.Memory; room(length: number): number; answer(): number; length(): number };

const coming = (async () => {
  const { instance } = await WebAssembly.instantiateStreaming(fetch(new URL('../pkg/seat.wasm', import.meta.url)));
  return instance.exports as unknown as Door;
})();
coming.catch(() => {}); // whoever asks hears of it

function answered({ memory, room, answer, length }: Door, request: string): string {
  const bytes = new TextEncoder().encode(request);
  // The memory may grow: its buffer is asked for afterwards.
  const place = room(bytes.length);
  new Uint8Array(memory.buffer, place, bytes.length).set(bytes);
  const told = answer();
  return new TextDecoder().decode(new Uint8Array(memory.buffer, told, length()));
}

addEventListener('message', async ({ data: { id, request } }: MessageEvent<{ id: number; request: string }>) => {
  const told = await coming.then((door) => ({ answer: answered(door, request) })).catch((failure: unknown) => ({ broken: String(failure) }));
  postMessage({ id, ...told });
});
