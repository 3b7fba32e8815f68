import type { ReactNode } from 'react';

export type Tone = 'good' | 'warn' | 'bad' | 'accent' | 'none';

export function Badge({ tone = 'none', children }: { readonly tone?: Tone; readonly children: ReactNode }) {
  return (
    <span className="badge" data-tone={tone}>
      {children}
    </span>
  );
}

const STATES: Readonly<Record<string, { readonly tone: Tone; readonly word: string }>> = {
  active: { tone: 'good', word: 'Active' },
  suspend: { tone: 'warn', word: 'Suspended' },
  'pre-active': { tone: 'accent', word: 'Pre-active' },
  deactive: { tone: 'none', word: 'Deactivated' },
  delivered: { tone: 'good', word: 'Delivered' },
  pending: { tone: 'warn', word: 'Pending' },
  failed: { tone: 'bad', word: 'Failed' },
};

export const stateWord = (state: string): string => STATES[state]?.word ?? state;

/** Badges for the states of devices and callbacks. */
export function StateBadge({ state }: { readonly state: string }) {
  return <Badge tone={STATES[state]?.tone ?? 'none'}>{stateWord(state)}</Badge>;
}
