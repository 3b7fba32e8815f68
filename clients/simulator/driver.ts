import { setImmediate as setImmediateOnce } from 'node:timers';
import { setImmediate } from 'node:timers/promises';
import type { Caller, OperatorRoute } from '../sdk/index.ts';
import { inParallel } from './in-parallel.ts';
import { profileOf } from './life/profile.ts';
import type { PositionRecord } from './life/records.ts';
import { stateOf } from './life/state.ts';
import { DAY, HOUR, MINUTE } from './life/time.ts';
import type { Memory } from './memory.ts';
import { createPresence } from './presence.ts';
import { type Driven, readRoster } from './roster.ts';
import { joinStretches, type Stretch, stretchOf } from './stretch.ts';

/** A batch sent and acknowledged together, which limits what is sent again after an interruption. */
const STRETCH = 12 * HOUR;
/** The clock keeps running during a move; such small advances are not separate stretches. */
const RUN_ON = MINUTE;
/** After a longer pause, the fleet continues this far before the present. */
const CATCH_UP_MAX = 31 * DAY;
/** Refetch interval of the roster in domain time: while a caller waits, and during a move. */
const ROSTER_MS = 5 * MINUTE;
const ROSTER_PASSING_MS = DAY;
const FEED_MS = 60_000;

export interface Tick {
  /** The current domain time. */
  readonly until: Date;
  /** The clock is moving, and will stop again before its target. */
  readonly passing: boolean;
  /** Nothing is simulated before this time, because the fleet was paused. */
  readonly since?: Date;
  /** Time of the next tick, if known; the simulator generates records until then while it sends this tick's. */
  readonly next?: Date;
  /** Lines may have been added, deleted or suspended since the previous tick. */
  readonly changed?: boolean;
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
  /** Number of concurrent calls. With one, their order is reproducible. */
  readonly atATime?: number;
  /** Speed of the fleet's time relative to real time. */
  readonly speed?: () => number;
}

const FEEDS = {
  usage: 'POST /operator/v1/usage',
  positions: 'POST /operator/v1/positions',
  readings: 'POST /operator/v1/readings',
} as const;
const FEED_NAMES = ['usage', 'positions', 'readings'] as const;

interface Roster {
  readonly devices: readonly Driven[];
  /** The properties of devices that determine their behaviour. */
  readonly lives: string;
  readonly at: number;
}

/** A stretch generated ahead of its tick. */
interface Prepared {
  readonly lives: string;
  readonly from: number;
  readonly to: number;
  readonly stretch: Stretch;
}

/** A device's network position and reachability do not change its behaviour. */
const livesOf = (devices: readonly Driven[]): string =>
  JSON.stringify(devices.map(({ silenced: _, known: __, ...life }) => life));

export function createDriver(deps: DriverDeps) {
  const { operator, seed, memory, save, atATime = 8, speed = () => 1 } = deps;
  const offline = new Set(memory.offline);
  const presence = createPresence(operator, offline);
  let roster: Roster | undefined;
  let prepared: Prepared | undefined;

  async function rosterAt(at: number, { passing, changed = false }: Tick): Promise<Roster> {
    const keptMs = passing ? ROSTER_PASSING_MS : ROSTER_MS * speed();
    if (roster === undefined || (passing && changed) || Math.abs(at - roster.at) >= keptMs) {
      const listed = await readRoster(operator, atATime);
      const devices = listed.filter(({ silenced, id }) => !silenced || offline.has(id));
      roster = { devices, lives: livesOf(devices), at };
    }
    return roster;
  }

  async function feed(name: keyof typeof FEEDS, body: string): Promise<void> {
    if (body === '') return;
    await operator.call(FEEDS[name], {
      raw: body,
      headers: { 'content-type': 'application/x-ndjson' },
      timeoutMs: FEED_MS,
    });
  }

  /** The stretch generated ahead, if the fleet has not changed since. */
  function stretchBetween({ devices, lives }: Roster, from: number, to: number): Stretch {
    const ahead =
      prepared?.lives === lives && prepared.from === from && prepared.to <= to ? prepared : undefined;
    prepared = undefined;
    if (ahead === undefined) return stretchOf(devices, seed, from, to);
    if (ahead.to === to) return ahead.stretch;
    return joinStretches(ahead.stretch, stretchOf(devices, seed, ahead.to, to));
  }

  function prepare({ devices, lives }: Roster, from: number, next: number): void {
    const to = Math.min(from + STRETCH, next);
    prepared = { lives, from, to, stretch: stretchOf(devices, seed, from, to) };
  }

  async function send(stretch: Stretch, meanwhile: () => void): Promise<void> {
    const sending = inParallel(FEED_NAMES, atATime, (name) => feed(name, stretch[name].body));
    sending.catch(() => {});
    // Starts after the current calls were sent.
    await setImmediate();
    meanwhile();
    await sending;
  }

  /** Gives a new fleet positions before its first report. */
  async function placeAll(devices: readonly Driven[], at: Date): Promise<void> {
    const placed = devices
      .filter(({ kind }) => kind === 'imei')
      .map(({ kind, id, ...device }): PositionRecord => {
        const accuracy = profileOf(device.profile).travels ? 'precise' : 'coarse';
        const { position } = stateOf({ kind, id, ...device }, seed, at);
        return { kind, device: id, at: at.toISOString(), ...position, accuracy };
      });
    await feed('positions', placed.map((record) => JSON.stringify(record)).join('\n'));
  }

  async function remember(last: number): Promise<void> {
    memory.last = new Date(last).toISOString();
    memory.offline = [...offline];
    await save(memory);
  }

  return {
    /** Sends everything since the last completed tick. */
    async tick(tick: Tick): Promise<Ticked> {
      const { until, passing, since, next } = tick;
      const to = until.getTime();
      const present = await rosterAt(to, tick);
      const { devices } = present;
      const last = Date.parse(memory.last ?? '');
      // A clock that was set back starts a new history.
      if (!(last <= to)) await placeAll(devices, until);
      const total = { devices: devices.length, usage: 0, positions: 0, readings: 0 };
      // Coverage and records go to different parts of the service, so they are sent in parallel, unless the
      // order must be reproducible.
      const following = atATime > 1 ? presence.follow(devices, seed, until, passing) : undefined;
      following?.catch(() => {});
      let from = last <= to ? Math.max(last, to - CATCH_UP_MAX, since?.getTime() ?? 0) : to;
      while (from < to) {
        const end = to - from <= STRETCH + RUN_ON ? to : from + STRETCH;
        const stretch = stretchBetween(present, from, end);
        await send(stretch, () => end < to && prepare(present, end, to));
        for (const name of FEED_NAMES) total[name] += stretch[name].count;
        from = end;
        if (from < to) await remember(from);
      }
      await (following ?? presence.follow(devices, seed, until, passing));
      await remember(to);
      // Runs after this tick is answered, because the caller has other work before the next one.
      if (next !== undefined && next > until) setImmediateOnce(() => prepare(present, to, next.getTime()));
      return total;
    },

    /** Pauses the fleet until then; the missing time is not simulated later. */
    skip: (until: Date): Promise<void> => remember(until.getTime()),
  };
}
