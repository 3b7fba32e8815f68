import { type Fleet, STATES } from '../../map/fleet.ts';
import { stateWord } from '../../parts/Badge.tsx';

const [HOUR_S, DAY_S] = [3_600, 86_400];

export const COLORINGS = {
  state: { label: 'Colour by state' },
  age: { label: 'Colour by age' },
} as const;
export type Coloring = keyof typeof COLORINGS;

/** What each tone means, in the order of TONE_TOKENS. */
export const legendOf = (coloring: Coloring): readonly string[] =>
  coloring === 'state'
    ? ['active', 'pre-active', 'suspend'].map(stateWord)
    : ['Within an hour', 'Within a day', 'Within a week', 'Older'];

const STATE_TONES = STATES.map((state) => ['active', 'pre-active', 'suspend'].indexOf(state));
const AGES_S = [HOUR_S, DAY_S, 7 * DAY_S] as const;

function ageTone(seconds: number): number {
  const tone = AGES_S.findIndex((limit) => seconds <= limit);
  return tone === -1 ? AGES_S.length : tone;
}

export function tonesOf({ states, times }: Fleet, coloring: Coloring, nowSeconds: number): Uint8Array {
  const tones = new Uint8Array(states.length);
  for (let n = 0; n < tones.length; n++)
    tones[n] = coloring === 'state' ? STATE_TONES[states[n]!]! : ageTone(nowSeconds - times[n]!);
  return tones;
}
