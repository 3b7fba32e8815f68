import type { User } from '../../api/access.ts';
import { useNow } from '../../app/clock.tsx';
import { Badge } from '../../parts/Badge.tsx';

/** After failed logins, of either kind, for a while. */
export function useIsLocked({ lockedUntil, consoleLockedUntil }: User): boolean {
  const now = useNow();
  return [lockedUntil, consoleLockedUntil].some((until) => until !== null && Date.parse(until) > now);
}

export function UserState({ user }: { readonly user: User }) {
  const isLocked = useIsLocked(user);
  if (user.disabledAt !== null) return <Badge tone="bad">Disabled</Badge>;
  return isLocked ? <Badge tone="warn">Locked</Badge> : <Badge tone="good">May sign in</Badge>;
}
