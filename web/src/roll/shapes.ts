// The outlines of the dice in a square of 48, each with a line or two of its edges and the place of its number.

export type Shape = { outline: string; edges: string; middle: number };

const corners = (count: number, radius: number, turn = 0, y = 24) =>
  Array.from({ length: count }, (_, i) => {
    const angle = ((i / count) * 360 + turn - 90) * (Math.PI / 180);
    return [24 + radius * Math.cos(angle), y + radius * Math.sin(angle)].map((n) => n.toFixed(1)).join(' ');
  });
const closed = (points: string[]) => `M${points.join('L')}Z`;
const spokes = (from: string[], to: string[]) => from.map((point, i) => `M${point}L${to[i]}`).join('');

const HEXAGON = corners(6, 22.5);
const DECAGON = corners(10, 22.5);
const PENTAGON = corners(5, 15);

const SHAPES: Record<string, Shape> = {
  d4: { outline: closed(corners(3, 26, 0, 29)), edges: '', middle: 31 },
  d6: {
    outline: 'M11 4H37A7 7 0 0 1 44 11V37A7 7 0 0 1 37 44H11A7 7 0 0 1 4 37V11A7 7 0 0 1 11 4Z',
    edges: '',
    middle: 24,
  },
  d8: { outline: closed(['24 1', '44 24', '24 47', '4 24']), edges: 'M4 24L24 33L44 24', middle: 20 },
  d10: {
    outline: closed(['24 1.5', '46 21', '46 27', '24 46.5', '2 27', '2 21']),
    edges: 'M2 27L13 29L24 36L35 29L46 27M24 36V46.5',
    middle: 21,
  },
  d12: {
    outline: closed(DECAGON),
    edges: closed(PENTAGON) + spokes(PENTAGON, DECAGON.filter((_, i) => i % 2 === 0)),
    middle: 24.5,
  },
  d20: {
    outline: closed(HEXAGON),
    edges: `${closed(corners(3, 14.5, 0, 25))}M24 10.5L${HEXAGON[0]}M11.4 32.3L${HEXAGON[4]}M36.6 32.3L${HEXAGON[2]}`,
    middle: 26.5,
  },
};
const ROUND: Shape = { outline: 'M24 2A22 22 0 1 1 24 46A22 22 0 1 1 24 2Z', edges: '', middle: 24 };

/** A percentile die is drawn as its two ten-sided dice, a fudge die as the cube that it is. */
export function shapeOf(die: string): Shape {
  if (die === 'dF') return SHAPES.d6!;
  return SHAPES[die] ?? (die === 'd%' ? SHAPES.d10! : ROUND);
}

/** Whether a die is known by its shape; others say what they are. */
export const isKnownByShape = (die: string) => die in SHAPES || die === 'dF' || die === 'd%';
