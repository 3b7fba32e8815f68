import type { Caller, OperatorRoute } from '../sdk/index.ts';
import { profileOf } from './life/profile.ts';
import { type PositionRecord, type Records, recordsBetween } from './life/records.ts';
import { stateOf } from './life/state.ts';
import { DAY, HOUR, MINUTE } from './life/time.ts';
import type { Memory } from './memory.ts';
import { createPresence } from './presence.ts';
import { type Driven, readRoster } from './roster.ts';

/** Sent and acknowledged together: what an interruption makes it send again is no more than this. */
const STRETCH = 3 * HOUR;
/** After a longer sleep the fleet goes on from here. */
const CATCH_UP_MAX = 31 * DAY;
/** Who is in the fleet is asked again after this much of either time. */
const ROSTER_MS = 5 * MINUTE;
const ROSTER_DOMAIN_MS = DAY;
const FEED_MS = 60_000;

export interface Tick {
  /** The present, in domain time. */
  readonly until: Date;
  /** The clock is on its way and will stop again before it rests. */
  readonly passing: boolean;
  /** What lies before is not lived: the fleet was made to stand still. */
  readonly since?: Date;
}
export interface Ticked {
  readonly devices: number;
  readonly usage: number;
  readonly positions: number;
  readonly readings: number;
}

interface DriverDeps {
  readonly operator: Caller<OperatorRoute>;
  readonly seed: string;
  readonly memory: Memory;
  readonly save: (memory: Memory) => Promise<void>;
}

const FEEDS = {
  usage: 'POST /operator/v1/usage',
  positions: 'POST /operator/v1/positions',
  readings: 'POST /operator/v1/readings',
} as const;

export function createDriver({ operator, seed, memory, save }: DriverDeps) {
  const offline = new Set(memory.offline);
  const presence = createPresence(operator, offline);
  let roster:
    | { readonly devices: readonly Driven[]; readonly at: number; readonly readAt: number }
    | undefined;

  async function rosterAt(at: number): Promise<readonly Driven[]> {
    const known = roster;
    const fresh =
      known !== undefined &&
      performance.now() - known.readAt < ROSTER_MS &&
      Math.abs(at - known.at) < ROSTER_DOMAIN_MS;
    if (!fresh) {
      const devices = (await readRoster(operator)).filter(({ silenced, id }) => !silenced || offline.has(id));
      roster = { devices, at, readAt: performance.now() };
    }
    return roster!.devices;
  }

  async function feed(name: keyof typeof FEEDS, records: readonly object[]): Promise<void> {
    if (records.length === 0) return;
    await operator.call(FEEDS[name], {
      raw: records.map((record) => JSON.stringify(record)).join('\n'),
      headers: { 'content-type': 'application/x-ndjson' },
      timeoutMs: FEED_MS,
    });
  }

  async function send(devices: readonly Driven[], from: number, to: number): Promise<Ticked> {
    const sent: { [Name in keyof Records]: Records[Name][number][] } = {
      usage: [],
      positions: [],
      readings: [],
    };
    for (const device of devices) {
      const { usage, positions, readings } = recordsBetween(device, seed, new Date(from), new Date(to));
      sent.usage.push(...usage);
      // The cache keeps the newest alone.
      sent.positions.push(...positions.slice(-1));
      sent.readings.push(...readings);
    }
    await Promise.all([
      feed('usage', sent.usage),
      feed('positions', sent.positions),
      feed('readings', sent.readings),
    ]);
    return {
      devices: devices.length,
      usage: sent.usage.length,
      positions: sent.positions.length,
      readings: sent.readings.length,
    };
  }

  /** A fleet that begins has a place before its first report. */
  async function placeAll(devices: readonly Driven[], at: Date): Promise<void> {
    const placed = devices
      .filter(({ kind }) => kind === 'imei')
      .map(({ kind, id, ...device }): PositionRecord => {
        const accuracy = profileOf(device.profile).travels ? 'precise' : 'coarse';
        const { position } = stateOf({ kind, id, ...device }, seed, at);
        return { kind, device: id, at: at.toISOString(), ...position, accuracy };
      });
    await feed('positions', placed);
  }

  async function remember(last: number): Promise<void> {
    memory.last = new Date(last).toISOString();
    memory.offline = [...offline];
    await save(memory);
  }

  return {
    /** Sends all that happened since the last tick that came to its end. */
    async tick({ until, passing, since }: Tick): Promise<Ticked> {
      const to = until.getTime();
      const devices = await rosterAt(to);
      const last = Date.parse(memory.last ?? '');
      // A clock that was set back has begun a new world.
      if (!(last <= to)) await placeAll(devices, until);
      const total = { devices: devices.length, usage: 0, positions: 0, readings: 0 };
      let from = last <= to ? Math.max(last, to - CATCH_UP_MAX, since?.getTime() ?? 0) : to;
      while (from < to) {
        const next = Math.min(from + STRETCH, to);
        const { usage, positions, readings } = await send(devices, from, next);
        total.usage += usage;
        total.positions += positions;
        total.readings += readings;
        from = next;
        await remember(from);
      }
      await presence.follow(devices, seed, until, passing);
      await remember(to);
      return total;
    },
  };
}
