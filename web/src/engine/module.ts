// The engine's code, fetched and compiled once while it streams in; every thread gets this same compiled module.

import address from '../pkg/astragal_wasm_bg.wasm?url';

async function compile(): Promise<WebAssembly.Module> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`the engine could not be loaded (${response.status})`);
  const streams = response.headers.get('content-type')?.startsWith('application/wasm');
  return streams ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}

export const compiled = compile();
