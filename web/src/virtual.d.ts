// Modules that the build makes, see tools/answers.mjs.

declare module 'virtual:answers/*' {
  const known: [program: string, answer: import('./engine/types').OddsAnswer][];
  export default known;
}
