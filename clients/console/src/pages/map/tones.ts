import { stateWord } from '../../parts/Badge.tsx';
import { type Coloring, TONED_STATES } from './tone-numbers.ts';

export const COLORINGS: Readonly<Record<Coloring, { readonly label: string }>> = {
  state: { label: 'Colour by state' },
  age: { label: 'Colour by age' },
};

/** The meaning of each tone, in the order of TONE_TOKENS. */
export const legendOf = (coloring: Coloring): readonly string[] =>
  coloring === 'state'
    ? TONED_STATES.map(stateWord)
    : ['Within an hour', 'Within a day', 'Within a week', 'Older'];
