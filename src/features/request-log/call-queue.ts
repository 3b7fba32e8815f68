import type { Ctx, Tenant } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { makeOrderedIds, timeOfOrderedId } from '../../platform/db/ordered-ids.ts';
import type { Loop } from '../../platform/health/health.ts';
import { createSweeper } from '../../platform/lanes/sweeper.ts';
import { type Call, type KeptCall, NOBODY } from './call.ts';
import { type DevicesByNumber, findDevices, locatedIn, numbersIn } from './positions.ts';
import { hideSecrets, hideSecretsInPath } from './secrets.ts';
import { deleteBeyond, insertCalls, listProfilesOf } from './sql-call.ts';

/** Reading the log writes waiting calls first, and a sandbox is one process. Calls cut before then are never written. */
const WRITTEN_EVERY_MS = 10_000;
/** Outside the sandbox, another process may serve the reader of the log. */
const RECORDED_EVERY_MS = 2_000;
const BATCH = 500;
/** More waiting text than this is written at once: the size of a full log of ordinary calls. */
const SOON_CHARS = 12 * 1024 * 1024;
/** Beyond this, calls are lost. */
const WAITING_MAX_CHARS = 3 * SOON_CHARS;
/** The log is cut to its length after this many calls. */
const CUT_EVERY = 1_000;
/** One in this many cuts reads the whole log, because another process may have written an older call. */
const WHOLE_EVERY = 20;
const TRIES_MAX = 5;

export interface CallQueue {
  add(call: Call): void;
  /** Resolves when all added calls are written or cannot be. */
  flush(): Promise<void>;
  /** Writes at once, for a call that ends after the queue has stopped. */
  write(db: Db, call: Call): Promise<void>;
  readonly isStopped: boolean;
  stop(): Promise<void>;
}

interface QueueDeps {
  readonly kept: number;
  /** True outside the sandbox: only the accounts an operator chose are logged. */
  readonly areRecorded: boolean;
  /** The id of the newest stored call. Queried before the first write. */
  readonly findNewest: (db: Db) => Promise<string | undefined>;
  readonly loop: Loop;
  readonly realNow: () => Date;
}

interface Owned {
  readonly call: Call;
  /** Undefined if the call names no account or a deleted one. */
  readonly owner: Tenant | undefined;
}

/** For a deleted account the log keeps only the fact of the call, without bodies. */
function toKept({ call, owner }: Owned, id: string, devices: DevicesByNumber): KeptCall {
  const isGone = call.accountName !== undefined && owner === undefined;
  const located = locatedIn(call, devices);
  const hide = (text: string | undefined) =>
    isGone || text === undefined ? undefined : hideSecrets(text, call, located !== null);
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

/** One statement for each account with positions in its answers. */
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
 * Writes calls in batches, some seconds after they end, so only a reader of the log waits for it. If more calls arrive than
 * the log keeps, the queue drops those that the log would cut anyway.
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

  async function continueAfterNewest(db: Db): Promise<void> {
    if (lastMs !== undefined) return;
    const newest = await findNewest(db);
    lastMs ??= newest === undefined ? 0 : timeOfOrderedId(newest).getTime();
  }

  /** Each id is later than all before, so ids sort like the calls. With a seed, the ids depend on no real time. */
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
    await continueAfterNewest(db);
    await writeCalls(db, calls, idsOf(calls), areRecorded);
  }

  /** Drops a batch after several failed attempts, so that it does not block later calls. */
  async function writeOrGiveUp(batch: readonly Call[]): Promise<void> {
    try {
      await write(ctx.db, batch);
    } catch (error) {
      if (++failed < TRIES_MAX) throw error;
      lost += batch.length;
      ctx.log.warn({ err: error }, 'calls for the log of requests could not be written and are dropped');
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

  /** Writes the calls that are waiting when it starts. */
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

  // Until the first call.
  loop.rest();

  /** Waits for the write in progress. Each round leaves fewer calls, unless they cannot be written. */
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
