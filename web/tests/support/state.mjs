// States as addresses spell them.

import { deflateRawSync, inflateRawSync } from 'node:zlib';

export const e = (text) => `#e=${encodeURIComponent(text)}`;
export const v1 = (state) => `#v1.${deflateRawSync(JSON.stringify({ v: 1, at: 'ask', ...state })).toString('base64url')}`;

/** The state that an address holds. */
export function stateOf(address) {
  const packed = address.match(/[#?]v1\.([\w-]+)$/);
  return packed && JSON.parse(inflateRawSync(Buffer.from(packed[1], 'base64url')).toString());
}
