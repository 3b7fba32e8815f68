import { type Fleet, STATES } from '../../map/fleet.ts';

const [HOUR_S, DAY_S] = [3_600, 86_400];

/** The meaning of the colours. */
export type Coloring = 'state' | 'age';

/** Parses the value in the address. */
export const toColoring = (named: string | null): Coloring => (named === 'age' ? 'age' : 'state');

/** In the order of their tones. */
export const TONED_STATES = ['active', 'pre-active', 'suspend'] as const;
const STATE_TONES = STATES.map((state) => TONED_STATES.indexOf(state));
/** The service's number of a tone is the number of a state, or the position of an age in the legend. */
export const toneOfCell = (tone: number, coloring: Coloring): number =>
  coloring === 'state' ? STATE_TONES[tone]! : tone;

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
