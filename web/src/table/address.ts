// Which table an address names: `/t/TABLE#SECRET`; with `?view=stream` for a picture of the newest roll and nothing else.

const TABLE = /\/t\/([0-9a-f]{32})$/;
const SECRET = /^#([0-9a-f]{32})$/;

export type Way = { table: string; secret: string; stream: boolean } | null;

export const way = (): Way => {
  const table = TABLE.exec(location.pathname)?.[1];
  return table ? { table, secret: SECRET.exec(location.hash)?.[1] ?? '', stream: new URLSearchParams(location.search).get('view') === 'stream' } : null;
};
