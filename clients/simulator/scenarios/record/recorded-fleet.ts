import { placeholderOf } from '../values.ts';
import { withRelativeTimes } from './relative-times.ts';

export type Fleet = Readonly<Record<string, unknown>>;
type Rows = readonly Readonly<Record<string, unknown>>[];

const rowsOf = (fleet: Fleet, section: string): Rows => (fleet[section] ?? []) as Rows;

/** The secrets of the real ones are nowhere: a user and an application of the scenario's own make their calls. */
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

/** What a fleet document becomes in a scenario that is played at another time, and that hears its callbacks itself. */
export function fleetForScenario(fleet: Fleet, nowMs: number): Fleet {
  const listeners = rowsOf(fleet, 'listeners').map((listener) => ({
    ...listener,
    url: placeholderOf('listener'),
  }));
  const others = withRelativeTimes(fleet, nowMs) as Fleet;
  return { ...others, ...peopleOf(fleet), ...(listeners.length > 0 && { listeners }) };
}
