// How long to wait for the next key before asking. What takes a few milliseconds is asked at once, at every key; what took
// long the last time is not asked for a program that is half written.

/** Answers that come within this are not noticed. */
const AT_ONCE = 40;
const LONGEST = 300;

export const pauseAfter = (cost: number): number => (cost <= AT_ONCE ? 0 : Math.min(cost, LONGEST));
