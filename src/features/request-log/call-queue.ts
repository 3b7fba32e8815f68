import type { Ctx, Tenant } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { makeOrderedIds, timeOfOrderedId } from '../../platform/db/ordered-ids.ts';
import type { Loop } from '../../platform/health/health.ts';
import { createSweeper } from '../../platform/lanes/sweeper.ts';
import { type Call, type KeptCall, NOBODY } from './call.ts';
import { type DevicesByNumber, findDevices, locatedIn, numbersIn } from './positions.ts';
import { hideSecrets, hideSecretsInPath } from './secrets.ts';
import { deleteBeyond, insertCalls, listProfilesOf } from './sql-call.ts';

/** Whoever reads the log has what waits written first, and a sandbox is one process: what is cut by then is never written. */
const WRITTEN_EVERY_MS = 10_000;
/** Where some accounts are recorded, another process may be asked for the log. */
const RECORDED_EVERY_MS = 2_000;
const BATCH = 500;
/** So much is not kept waiting: as many calls as the log keeps, of a usual size. */
const SOON_CHARS = 12 * 1024 * 1024;
/** Beyond it calls are lost. */
const WAITING_MAX_CHARS = 3 * SOON_CHARS;
/** The log is cut to its length when this many have come. */
const CUT_EVERY = 1_000;
/** Of so many cuts one looks at the whole log: another process may have written an older call since. */
const WHOLE_EVERY = 20;
const TRIES_MAX = 5;

export interface CallQueue {
  add(call: Call): void;
  /** Resolves when all that was added is written, or cannot be. */
  flush(): Promise<void>;
  /** At once, for a call that has outlived what the queue writes to. */
  write(db: Db, call: Call): Promise<void>;
  readonly isStopped: boolean;
  stop(): Promise<void>;
}

interface QueueDeps {
  readonly kept: number;
  /** Only those of accounts that somebody asked for, as outside the sandbox. */
  readonly areRecorded: boolean;
  /** The id of the newest call that is there already: asked for when the first is written. */
  readonly findNewest: (db: Db) => Promise<string | undefined>;
  readonly loop: Loop;
  readonly realNow: () => Date;
}

interface Owned {
  readonly call: Call;
  /** Undefined where the call names no account, or one that is gone. */
  readonly owner: Tenant | undefined;
}

/** Of what belongs to an account that is gone nothing is kept but that it was called. */
function toKept({ call, owner }: Owned, id: string, devices: DevicesByNumber): KeptCall {
  const isGone = call.accountName !== undefined && owner === undefined;
  const located = locatedIn(call, devices);
  const hide = (text: string | undefined) =>
    isGone || text === undefined ? undefined : hideSecrets(text, call.operation, located !== null);
  return {
    ...call,
    id,
    ecpdId: owner?.ecpdId ?? (isGone ? NOBODY : (call.ecpdId ?? NOBODY)),
    accountName: owner?.accountName ?? null,
    path: hideSecretsInPath(call.path),
    request: hide(call.request),
    answer: hide(call.answer),
    located: isGone ? null : located,
  };
}

/** In one statement for each account with positions in its answers. */
async function findLocated(db: Db, owned: readonly Owned[]): Promise<ReadonlyMap<string, DevicesByNumber>> {
  const found = new Map<string, DevicesByNumber>();
  for (const [name, of] of Map.groupBy(owned, ({ owner }) => owner?.accountName ?? '')) {
    const numbers = new Set(of.flatMap(({ call }) => numbersIn(call)));
    const { owner } = of[0]!;
    if (owner !== undefined && numbers.size > 0) found.set(name, await findDevices(db, owner, [...numbers]));
  }
  return found;
}

async function writeCalls(
  db: Db,
  calls: readonly Call[],
  ids: readonly string[],
  areRecorded: boolean,
): Promise<void> {
  const names = new Set(calls.flatMap(({ accountName }) => accountName ?? []));
  const owners = names.size === 0 ? [] : await listProfilesOf(db, [...names]);
  const byName = new Map<string | undefined, Tenant>(owners.map((owner) => [owner.accountName, owner]));
  const owned = calls.map((call) => ({ call, owner: byName.get(call.accountName) }));
  const located = await findLocated(db, owned);
  const rows = owned.map((each, n) =>
    toKept(each, ids[n]!, located.get(each.owner?.accountName ?? '') ?? new Map()),
  );
  for (const [ecpdId, of] of Map.groupBy(rows, (row) => row.ecpdId))
    await insertCalls(db, ecpdId, of, areRecorded);
}

/** Cuts the log to its length. */
function createCutter(db: Db, kept: number): () => Promise<void> {
  let cuts = 0;
  let above: string | undefined;
  return async () => {
    if (cuts++ % WHOLE_EVERY === 0) above = undefined;
    for (;;) {
      const { deleted, upTo } = await deleteBeyond(db, { kept, limit: CUT_EVERY, above });
      if (deleted === CUT_EVERY) continue;
      above = upTo ?? above;
      return;
    }
  };
}

const charsOf = (calls: readonly Call[]): number =>
  calls.reduce(
    (sum, { path, request, answer }) => sum + path.length + (request?.length ?? 0) + (answer?.length ?? 0),
    0,
  );

/**
 * Writes calls in batches, some seconds after they have ended: nobody waits for the log but who reads it. Where more come than the
 * log keeps, those that it would have cut by then are never written.
 */
export function createCallQueue(
  ctx: Ctx,
  { kept, areRecorded, findNewest, loop, realNow }: QueueDeps,
): CallQueue {
  const chance = ctx.chance.of(() => 'request log');
  let waiting: Call[] = [];
  let waitingChars = 0;
  const cut = createCutter(ctx.db, kept);
  const everyMs = areRecorded ? RECORDED_EVERY_MS : WRITTEN_EVERY_MS;
  let [lost, failed, sinceCut, isStopped] = [0, 0, 0, false];
  let lastMs: number | undefined;

  async function goOnAfterNewest(db: Db): Promise<void> {
    if (lastMs !== undefined) return;
    const newest = await findNewest(db);
    lastMs ??= newest === undefined ? 0 : timeOfOrderedId(newest).getTime();
  }

  /** Later than all before, so that the order of the ids is that of the calls. With a seed it depends on nothing real. */
  const idsOf = (calls: readonly Call[]): readonly string[] => {
    const make = (time: number, count: number) => {
      lastMs = Math.max((lastMs ?? 0) + 1, time);
      return makeOrderedIds(chance, new Date(lastMs), count);
    };
    return chance.repeats
      ? calls.flatMap(({ at }) => make(at.getTime(), 1))
      : make(realNow().getTime(), calls.length);
  };

  async function write(db: Db, calls: readonly Call[]): Promise<void> {
    await goOnAfterNewest(db);
    await writeCalls(db, calls, idsOf(calls), areRecorded);
  }

  /** What cannot be written again and again must not keep out what comes after it. */
  async function writeOrGiveUp(batch: readonly Call[]): Promise<void> {
    try {
      await write(ctx.db, batch);
    } catch (error) {
      if (++failed < TRIES_MAX) throw error;
      lost += batch.length;
      ctx.log.warn({ err: error }, 'calls of the log of requests are given up');
    }
    failed = 0;
    if (lost > 0) ctx.log.warn({ count: lost }, 'calls are missing in the log of requests');
    lost = 0;
  }

  function takeOut(count: number): readonly Call[] {
    const taken = waiting.splice(0, count);
    waitingChars -= charsOf(taken);
    return taken;
  }

  function putBack(calls: readonly Call[]): void {
    waiting = [...calls, ...waiting];
    waitingChars += charsOf(calls);
  }

  /** What waited when it began. */
  async function writeWaiting(): Promise<number> {
    const count = waiting.length;
    for (let written = 0; written < count && waiting.length > 0; ) {
      const batch = takeOut(Math.min(BATCH, count - written));
      await writeOrGiveUp(batch).catch((error: unknown) => {
        putBack(batch);
        throw error;
      });
      written += batch.length;
      sinceCut += batch.length;
    }
    if (sinceCut >= CUT_EVERY) {
      sinceCut = 0;
      await cut();
    }
    return count;
  }

  const sweeper = createSweeper({
    find: writeWaiting,
    loop,
    onError: (error) => ctx.log.warn({ err: error }, 'the log of requests could not be written'),
    ...{ everyMs, firstMs: everyMs, isNeeded: () => waiting.length > 0 },
  });

  // Until a call comes.
  loop.rest();

  /** Behind what is being written; fewer are left each time, unless they cannot be written. */
  async function flush(): Promise<void> {
    while ((await sweeper.sweep()) > 0 && waiting.length > 0);
  }

  return {
    add(call) {
      if (waitingChars >= WAITING_MAX_CHARS) return void lost++;
      if (waiting.length >= kept + CUT_EVERY) takeOut(waiting.length - kept);
      waiting.push(call);
      waitingChars += charsOf([call]);
      sweeper.start();
      if (waitingChars >= SOON_CHARS) sweeper.soon();
    },
    flush,
    write: (db, call) => write(db, [call]),
    get isStopped() {
      return isStopped;
    },
    async stop() {
      isStopped = true;
      await sweeper.stop();
      await flush();
    },
  };
}
