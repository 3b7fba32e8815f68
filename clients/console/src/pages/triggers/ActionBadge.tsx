import { Badge, type Tone } from '../../parts/Badge.tsx';

const STATES: Readonly<Record<string, readonly [tone: Tone, word: string]>> = {
  waiting: ['accent', 'Queued'],
  running: ['accent', 'In progress'],
  awaitingApproval: ['warn', 'Awaiting approval'],
  done: ['good', 'Done'],
  failed: ['bad', 'Failed'],
  skipped: ['none', 'Skipped'],
  dropped: ['none', 'Dropped'],
  expired: ['bad', 'Expired'],
};

/** The progress of a firing's action. */
export function ActionBadge({ state }: { readonly state: string }) {
  const [tone, word] = STATES[state] ?? (['none', state] as const);
  return <Badge tone={tone}>{word}</Badge>;
}
