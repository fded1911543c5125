// Which names a file of house rules may have: `use "house.dice"` turns the name into a word of the language.

/** What is wrong with a file's name, or an empty text. */
export function nameProblem(name: string, taken: string[], old: string | null): string {
  if (!/^[a-z_][a-z0-9_]*\.dice$/i.test(name)) return 'A name is a word and “.dice”, such as house.dice';
  if (name.length > 60) return 'That name is too long';
  if (name !== old && taken.includes(name)) return 'There is a file of that name already';
  return '';
}
