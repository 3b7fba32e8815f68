import { type Ctx, inTx, type Tenant } from '../../platform/context/context.ts';
import type { Accuracy } from '../consents/index.ts';
import { type Outcome, type Recorded, recordFixes, type SourceAnswer } from '../locations/index.ts';
import { holdPayers, type WatchServices } from '../usage/index.ts';
import type { RequestStatus } from './location-request.ts';
import { type AwaitedEntry, keepAwaited, placeOf, postponeEntries } from './sql-awaited.ts';
import { settleEntries } from './sql-entry.ts';
import { lockStatuses } from './sql-request.ts';
import type { TellListeners } from './tell-listeners.ts';

/** What was found out about entries that are waited for, before anything of it is written. */
export interface FoundOut {
  readonly accuracy: Accuracy;
  readonly entries: readonly AwaitedEntry[];
  /** What is known without an answer of the network, by the place of the entry. */
  readonly known: ReadonlyMap<string, Recorded>;
  readonly answers: ReadonlyMap<string, SourceAnswer>;
}

type Settled = Omit<AwaitedEntry, 'outcome'> & { readonly outcome: Recorded };
type Ended = Omit<Settled, 'outcome'> & { readonly outcome: Outcome };

/**
 * Only a position ends the waiting for a device that could not be reached: whatever else came of asking, the entry says
 * what it said. Of one that was never asked for any answer is the first.
 */
const isEnd = (settled: Settled): settled is Ended =>
  settled.outcome !== 'withheld' && (settled.state === 'withheld' || 'fix' in settled.outcome);

/** Entries of one request change together, and are told together. */
async function settleRequest(
  tx: Ctx,
  tenant: Tenant,
  settled: readonly Settled[],
  status: RequestStatus | undefined,
  tell: TellListeners,
): Promise<void> {
  const request = settled[0]!;
  const waiting = settled.filter((entry) => entry.state === 'absent' && !isEnd(entry));
  await postponeEntries(tx.db, tenant, request.txid, waiting);
  const ended = settled.filter(isEnd);
  if (ended.length === 0) return;
  const nths = await settleEntries(tx.db, tenant, request.txid, ['absent', 'withheld'], ended);
  const changed = ended.filter(({ nth }) => nths.has(nth));
  if (changed.length === 0) return;
  if (request.answeredBy === 'callbacks') await tell.devices(tx, tenant, request, changed);
  // One that is still worked on is told of at its end.
  else if (status === 'COMPLETED') await tell.report(tx, tenant, request);
}

/**
 * Requests of which an entry may change now. They may have been completed and told so, or cancelled, since the entry was
 * read.
 */
const listChanging = ({ entries, answers }: FoundOut): readonly string[] => {
  const mayChange = ({ state, deviceId }: AwaitedEntry) => {
    const answer = answers.get(deviceId);
    return state === 'withheld' || (answer !== undefined && 'fix' in answer);
  };
  return [...new Set(entries.filter(mayChange).map(({ txid }) => txid))];
};

/** Each device is billed once, with the oldest of the requests that the network was asked for. */
export const settleAwaited = (
  outer: Ctx,
  tenant: Tenant,
  found: FoundOut,
  { tell, watchServices }: { readonly tell: TellListeners; readonly watchServices: WatchServices },
): Promise<void> =>
  inTx(outer, async (tx) => {
    const { accuracy, known } = found;
    // In the order of who works on a request: accounts, requests, devices.
    await holdPayers(tx.db, tenant.ecpdId, [tenant.accountName]);
    const statuses = await lockStatuses(tx.db, tenant, listChanging(found));
    const entries = await keepAwaited(tx.db, tenant, found.entries);
    const asked = entries.filter((entry) => !known.has(placeOf(entry)));
    const oldest = new Map(asked.toReversed().map(({ deviceId, txid }) => [deviceId, txid]));
    const answers = new Map([...found.answers].filter(([deviceId]) => oldest.has(deviceId)));
    const requestRefOf = (deviceId: string) => oldest.get(deviceId)!;
    const recorded = await recordFixes(tx, tenant, { accuracy, answers, requestRefOf, watchServices });
    const settled = entries.flatMap((entry) => {
      const outcome = known.get(placeOf(entry)) ?? recorded.get(entry.deviceId);
      return outcome === undefined ? [] : [{ ...entry, outcome }];
    });
    for (const [txid, its] of Map.groupBy(settled, ({ txid }) => txid))
      await settleRequest(tx, tenant, its, statuses.get(txid), tell);
  });
