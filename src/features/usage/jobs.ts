import { Type } from 'typebox';
import type { LocalDay } from '../../kernel/bill-cycle.ts';
import type { Tenant } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { type Query, sql } from '../../platform/db/sql.ts';
import { defineJob } from '../../platform/jobs/job.ts';
import { deleteInBatches } from '../../platform/jobs/purge.ts';
import { deleteOldLineChanges, deleteOldOwners } from '../devices/index.ts';
import { DAY_MS, firstDayKept } from './ledger.ts';
import { deleteOldTransactions } from './services/sql-transaction.ts';
import {
  deleteIdsBefore,
  deleteMovedBefore,
  deleteOldBatches,
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

interface Removing {
  readonly db: Db;
  readonly ecpdId: string;
  readonly day: LocalDay;
  readonly signal: AbortSignal;
}

/** What a table has of such days, account by account. `removeSome` answers how many rows went. */
async function deleteByAccount(
  { db, ecpdId, day, signal }: Removing,
  table: Query,
  removeSome: (account: Tenant) => Promise<number>,
): Promise<void> {
  for (let after = ''; ; ) {
    const accounts = await listAccountsWithRowsBefore(db, table, ecpdId, day, { after, limit: ACCOUNTS });
    for (const account of accounts) await deleteInBatches(signal, () => removeSome(account));
    if (accounts.length < ACCOUNTS) return;
    after = accounts.at(-1)!.accountName;
  }
}

/** Those of one profile, but for the months that go as a whole. Its ids go last: while there are any, this is done again. */
async function deleteOfProfile(removing: Removing, undated: readonly Part[]): Promise<void> {
  const { db, ecpdId, day, signal } = removing;
  // Before anything is removed: from now on no record of those days is taken or compared.
  await setLedgerStart(db, ecpdId, day);
  await deleteByAccount(removing, sql`usage_moved_record`, (account) =>
    deleteMovedBefore(db, account, day, BATCH),
  );
  for (const { table } of undated)
    await deleteByAccount(removing, table, (account) => deleteUsageBefore(db, table, account, day, BATCH));
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

/** Of this month, and of those in which records may come before this is done again. */
async function addMonths(db: Db, now: Date): Promise<void> {
  let day = now.toISOString().slice(0, 10);
  for (let n = 0; n < MONTHS_AHEAD; n++, day = nextMonth(day)) await addMonth(db, day);
}

interface Keeping {
  readonly keptDays: number;
  /** Whether each month has a table of its own, which then goes as a whole. */
  readonly byMonth: boolean;
}

/** Records and billed uses go when they are too old, with their order; what they added up to stays in the counters. */
export const purgeUsage = ({ keptDays, byMonth }: Keeping) =>
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
      // A zone is less than a day ahead of UTC: all that came before this occurred before the day.
      const before = new Date(Date.parse(day) - DAY_MS);
      await deleteInBatches(signal, () => deleteOldBatches(db, before, BATCH));
      await deleteInBatches(signal, () => deleteOldLineChanges(db, before, BATCH));
      await deleteInBatches(signal, () => deleteOldOwners(db, before, BATCH));
      if (byMonth) await addMonths(db, now());
      return undefined;
    },
  });
