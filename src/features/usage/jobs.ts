import { Type } from 'typebox';
import type { LocalDay } from '../../kernel/bill-cycle.ts';
import type { Tenant } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { type Query, sql } from '../../platform/db/sql.ts';
import { defineJob } from '../../platform/jobs/job.ts';
import { deleteInBatches } from '../../platform/jobs/purge.ts';
import { deleteOldLeftLines, deleteOldLineChanges, deleteOldOwners } from '../devices/index.ts';
import { DAY_MS, firstDayKept } from './ledger.ts';
import { deleteOldTransactions } from './services/sql-transaction.ts';
import {
  deleteIdsBefore,
  deleteMovedBefore,
  deleteOldBatches,
  deletePiecesBefore,
  deleteUsageBefore,
  listAccountsWithRowsBefore,
  listProfilesWithUsageBefore,
  setLedgerStart,
} from './sql-ledger.ts';
import { addMonth, dropPart, listParts, nextMonth, type Part } from './sql-months.ts';

const BATCH = 5_000;
const [PROFILES, ACCOUNTS] = [100, 100];
const MONTHS_AHEAD = 3;
const HOUR_MS = 3_600_000;

interface Deletion {
  readonly db: Db;
  readonly ecpdId: string;
  readonly day: LocalDay;
  readonly signal: AbortSignal;
}

/** Deletes a table's rows of days before `day`, account by account. `deleteSome` returns how many rows it deleted. */
async function deleteByAccount(
  { db, ecpdId, day, signal }: Deletion,
  table: Query,
  deleteSome: (account: Tenant) => Promise<number>,
): Promise<void> {
  for (let after = ''; ; ) {
    const accounts = await listAccountsWithRowsBefore(db, table, ecpdId, day, { after, limit: ACCOUNTS });
    for (const account of accounts) await deleteInBatches(signal, () => deleteSome(account));
    if (accounts.length < ACCOUNTS) return;
    after = accounts.at(-1)!.accountName;
  }
}

/**
 * Deletes the records of one profile, except months that are dropped as whole tables. It deletes the ids last: while
 * any is left, the profile is processed again.
 */
async function deleteOfProfile(deletion: Deletion, undated: readonly Part[]): Promise<void> {
  const { db, ecpdId, day, signal } = deletion;
  // This comes before any deletion: from now on no record of those days is accepted or compared.
  await setLedgerStart(db, ecpdId, day);
  await deleteByAccount(deletion, sql`usage_moved_record`, (account) =>
    deleteMovedBefore(db, account, day, BATCH),
  );
  for (const { table } of undated)
    await deleteByAccount(deletion, table, (account) => deleteUsageBefore(db, table, account, day, BATCH));
  await deletePiecesBefore(db, ecpdId, day);
  await deleteInBatches(signal, () => deleteIdsBefore(db, ecpdId, day, BATCH));
}

async function deleteRecords(db: Db, day: LocalDay, signal: AbortSignal): Promise<void> {
  const parts = await listParts(db);
  const undated = parts.filter(({ endsOn }) => endsOn === undefined);
  for (;;) {
    const profiles = await listProfilesWithUsageBefore(db, day, PROFILES);
    if (profiles.length === 0) break;
    for (const ecpdId of profiles) await deleteOfProfile({ db, ecpdId, day, signal }, undated);
  }
  for (const part of parts) if (part.endsOn !== undefined && part.endsOn <= day) await dropPart(db, part);
}

/** Adds tables for this month and for the months in which records may arrive before the next run. */
async function addMonths(db: Db, now: Date): Promise<void> {
  let day = now.toISOString().slice(0, 10);
  for (let n = 0; n < MONTHS_AHEAD; n++, day = nextMonth(day)) await addMonth(db, day);
}

/** A report or a failed callback can show a position for this long after its line has left: an erasure must find it. */
const SHOWN_DAYS = 62;

interface Retention {
  readonly keptDays: number;
  /** Whether each month has a table of its own, which is then dropped as a whole. */
  readonly byMonth: boolean;
}

/** Deletes records, billed uses and their order when they are too old. Their sums stay in the counters. */
export const purgeUsage = ({ keptDays, byMonth }: Retention) =>
  defineJob({
    kind: 'usage.purge',
    schema: Type.Object({}),
    attemptsMax: 5,
    commits: 'steps',
    everyMs: HOUR_MS,
    async run({ db, now }, _payload, { signal }) {
      const day = firstDayKept(now().getTime(), keptDays);
      await deleteInBatches(signal, () => deleteOldTransactions(db, day, BATCH));
      await deleteRecords(db, day, signal);
      // A zone is less than a day ahead of UTC: everything that arrived before this time occurred before the day.
      const before = new Date(Date.parse(day) - DAY_MS);
      await deleteInBatches(signal, () => deleteOldBatches(db, before, BATCH));
      await deleteInBatches(signal, () => deleteOldLineChanges(db, before, BATCH));
      const shown = new Date(Math.min(before.getTime(), now().getTime() - SHOWN_DAYS * DAY_MS));
      await deleteInBatches(signal, () => deleteOldOwners(db, shown, BATCH));
      await deleteInBatches(signal, () => deleteOldLeftLines(db, before, BATCH));
      if (byMonth) await addMonths(db, now());
      return undefined;
    },
  });
