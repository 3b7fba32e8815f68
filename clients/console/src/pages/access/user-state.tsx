import type { User } from '../../api/access.ts';
import { useNow } from '../../app/clock.tsx';
import { Badge } from '../../parts/Badge.tsx';

/** Locked for a time after failed logins of either kind. */
const isLocked = ({ lockedUntil, consoleLockedUntil }: User, nowMs: number): boolean =>
  [lockedUntil, consoleLockedUntil].some((until) => until !== null && Date.parse(until) > nowMs);

export const useIsLocked = (user: User): boolean => isLocked(user, useNow());

const TONES = { Disabled: 'bad', Locked: 'warn', 'May sign in': 'good' } as const;

export function stateOf(user: User, nowMs: number): keyof typeof TONES {
  if (user.disabledAt !== null) return 'Disabled';
  return isLocked(user, nowMs) ? 'Locked' : 'May sign in';
}

export function UserState({ user }: { readonly user: User }) {
  const state = stateOf(user, useNow());
  return <Badge tone={TONES[state]}>{state}</Badge>;
}
