// Text in as few letters as an address allows: deflated, then spelt in base64url. Unpacking trusts nobody: it stops as
// soon as more comes out than any program needs; and what it would not unpack is not packed.

const LONGEST_PACKED = 500_000;
const LONGEST_UNPACKED = 1_000_000;

export async function pack(text: string): Promise<string> {
  const whole = new Blob([text]);
  if (whole.size > LONGEST_UNPACKED) throw new Error('too long');
  const stream = whole.stream().pipeThrough(new CompressionStream('deflate-raw'));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let letters = '';
  for (const byte of bytes) letters += String.fromCharCode(byte);
  const packed = btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
  if (packed.length > LONGEST_PACKED) throw new Error('too long');
  return packed;
}

export async function unpack(packed: string): Promise<string> {
  if (packed.length > LONGEST_PACKED) throw new Error('too long');
  const letters = atob(packed.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return new TextDecoder('utf-8', { fatal: true }).decode(await limited(stream));
}

async function limited(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > LONGEST_UNPACKED) {
      await reader.cancel();
      throw new Error('too long');
    }
    parts.push(value);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
