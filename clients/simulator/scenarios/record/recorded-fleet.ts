import { placeholderOf } from '../values.ts';
import { withRelativeTimes } from './relative-times.ts';

export type Fleet = Readonly<Record<string, unknown>>;
type Rows = readonly Readonly<Record<string, unknown>>[];

const rowsOf = (fleet: Fleet, section: string): Rows => (fleet[section] ?? []) as Rows;

/** The real secrets are not available, so the scenario's own user and application make the calls. */
const peopleOf = (fleet: Fleet) => ({
  clients: [{ clientId: 'scenario-app', clientSecret: 'scenario-app-secret' }],
  users: [
    {
      username: `recorded-${String(rowsOf(fleet, 'profiles')[0]?.['ecpdId'] ?? 'user')}`,
      password: 'scenario-user-password',
      accounts: rowsOf(fleet, 'accounts').flatMap(({ accountName }) => accountName ?? []),
    },
  ],
});

/** Adapts a fleet document to a scenario that runs at another time with its own listener. */
export function fleetForScenario(fleet: Fleet, nowMs: number): Fleet {
  const listeners = rowsOf(fleet, 'listeners').map((listener) => ({
    ...listener,
    url: placeholderOf('listener'),
  }));
  const others = withRelativeTimes(fleet, nowMs) as Fleet;
  return { ...others, ...peopleOf(fleet), ...(listeners.length > 0 && { listeners }) };
}
