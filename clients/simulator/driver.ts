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

/** Sent and acknowledged together: what an interruption makes it send again is no more than this. */
const STRETCH = 12 * HOUR;
/** A clock that is moved runs on meanwhile: what it has come further is no stretch of its own. */
const RUN_ON = MINUTE;
/** After a longer sleep the fleet goes on from here. */
const CATCH_UP_MAX = 31 * DAY;
/** Who is in the fleet is asked again after this much of its time: as long as somebody waits, and on the way. */
const ROSTER_MS = 5 * MINUTE;
const ROSTER_PASSING_MS = DAY;
const FEED_MS = 60_000;

export interface Tick {
  /** The present, in domain time. */
  readonly until: Date;
  /** The clock is on its way and will stop again before it rests. */
  readonly passing: boolean;
  /** What lies before is not lived: the fleet was made to stand still. */
  readonly since?: Date;
  /** When the next tick will come, where that is known: what happens until then is made up while this one is sent. */
  readonly next?: Date;
  /** Lines may have come, gone or been suspended on the way since the tick before. */
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
  /** Calls that it makes side by side. One after the other they come in the same order each time. */
  readonly atATime?: number;
  /** How many times as fast as real time the fleet's time runs. */
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
  /** What of them their life follows from. */
  readonly lives: string;
  readonly at: number;
}

/** A stretch that was made up before anybody asked for it. */
interface Prepared {
  readonly lives: string;
  readonly from: number;
  readonly to: number;
  readonly stretch: Stretch;
}

/** Where the network has a device, and whether it may be heard, changes nothing of what it does. */
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

  /** What was made up ahead, with what has happened since. */
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
    // Once what is sent is on its way.
    await setImmediate();
    meanwhile();
    await sending;
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
    await feed('positions', placed.map((record) => JSON.stringify(record)).join('\n'));
  }

  async function remember(last: number): Promise<void> {
    memory.last = new Date(last).toISOString();
    memory.offline = [...offline];
    await save(memory);
  }

  return {
    /** Sends all that happened since the last tick that came to its end. */
    async tick(tick: Tick): Promise<Ticked> {
      const { until, passing, since, next } = tick;
      const to = until.getTime();
      const present = await rosterAt(to, tick);
      const { devices } = present;
      const last = Date.parse(memory.last ?? '');
      // A clock that was set back has begun a new world.
      if (!(last <= to)) await placeAll(devices, until);
      const total = { devices: devices.length, usage: 0, positions: 0, readings: 0 };
      // One network is told of coverage, another what was sent: neither waits for the other, unless all is to be in one order.
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
      // Once this tick is answered: whoever asked for it has work of his own before the next one.
      if (next !== undefined && next > until) setImmediateOnce(() => prepare(present, to, next.getTime()));
      return total;
    },

    /** The fleet stands still until then: what it would have done is not made up for. */
    skip: (until: Date): Promise<void> => remember(until.getTime()),
  };
}
