import { Badge, type Tone } from '../../parts/Badge.tsx';

const STATES: Readonly<Record<string, readonly [tone: Tone, word: string]>> = {
  waiting: ['accent', 'Queued'],
  running: ['accent', 'In progress'],
  awaitingApproval: ['warn', 'Awaiting approval'],
  done: ['good', 'Done'],
  failed: ['bad', 'Failed'],
  skipped: ['none', 'Skipped'],
};

/** How far what a firing does has come. */
export function ActionBadge({ state }: { readonly state: string }) {
  const [tone, word] = STATES[state] ?? (['none', state] as const);
  return <Badge tone={tone}>{word}</Badge>;
}
