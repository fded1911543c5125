// 12,345: a number with its thousands apart. The browser's own way loads a language first, which takes longer than a chart.

export function count(number: number): string {
  const [whole = '', decimals] = String(number).split('.');
  const apart = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return decimals ? `${apart}.${decimals}` : apart;
}
