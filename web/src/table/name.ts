// What a person is called and prefers at tables; this browser remembers it.

const get = (key: string) => {
  try {
    return localStorage.getItem(`astragal.table.${key}`) ?? '';
  } catch {
    return '';
  }
};
const set = (key: string, value: string) => {
  try {
    localStorage.setItem(`astragal.table.${key}`, value);
  } catch {
    // it then lasts as long as the page
  }
};

export const myName = () => get('name');
export const callMe = (name: string) => set('name', name.trim());

export type Sight = 'all' | 'owner' | 'self';
/** Who sees what is rolled; a game master rolls in secret unless they have said otherwise. */
export function sight(owner: boolean): Sight {
  const kept = get(owner ? 'sight.owner' : 'sight');
  return kept === 'all' || kept === 'owner' || kept === 'self' ? kept : owner ? 'owner' : 'all';
}
export const keepSight = (owner: boolean, to: Sight) => set(owner ? 'sight.owner' : 'sight', to);

export const sounds = () => get('sound') === 'on';
export const keepSounds = (on: boolean) => set('sound', on ? 'on' : 'off');
