import { LISTENER_SERVICES } from '../../src/features/callback-payloads/index.ts';
import type { Listener } from './callback-scene.ts';

const PROFILES = 100;
const EACH = 100;
const SLOW_MS = 2_000;
/** The answer time of the listener with a million waiting messages. */
const BURIED_MS = 100;

export interface ManyListeners {
  readonly all: readonly Required<Listener>[];
  /** The healthy listeners, by profile. */
  readonly living: ReadonlyMap<string, readonly Listener[]>;
  readonly dead: readonly Required<Listener>[];
  readonly slow: readonly Required<Listener>[];
  /** The listener with a million waiting messages. */
  readonly buried: Required<Listener>;
}

type Manner = 'dead' | 'slow' | 'buried' | 'living';
const PATHS: Readonly<Record<Manner, string>> = {
  dead: 'never',
  slow: `slow/${SLOW_MS}`,
  buried: `slow/${BURIED_MS}`,
  living: 'timed',
};

/** Each customer has a hundred listeners: one is dead and one is slow. A single one of all has a huge backlog. */
const mannerOf = (n: number): Manner =>
  n % EACH === 0 ? 'dead' : n % EACH === 1 ? 'slow' : n === 2 ? 'buried' : 'living';

/**
 * Ten thousand listeners of a hundred customers, each with its own lane. A customer's healthy listeners are paths of one host. A
 * dead, slow or overloaded one has a separate host, because its connections must not count as those of others. `port` is that of
 * a sink at all addresses.
 */
export function makeManyListeners(port: string): ManyListeners {
  const all = Array.from({ length: PROFILES * EACH }, (_, n) => {
    const [profile, manner] = [Math.floor(n / EACH), mannerOf(n)];
    const host = `127.${1 + Object.keys(PATHS).indexOf(manner)}.0.${1 + profile}`;
    return {
      manner,
      ecpdId: String(9_000_000 + profile),
      accountName: `0000${String(1_000_000 + Math.floor(n / 10)).slice(1)}-00001`,
      serviceName: LISTENER_SERVICES[n % 10]!,
      url: `http://${host}:${port}/${PATHS[manner]}/${n}`,
    };
  });
  const those = (manner: Manner) => all.filter((listener) => listener.manner === manner);
  return {
    all,
    living: Map.groupBy(those('living'), ({ ecpdId }) => ecpdId),
    dead: those('dead'),
    slow: those('slow'),
    buried: those('buried')[0]!,
  };
}
