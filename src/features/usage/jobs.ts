import { Type } from 'typebox';
import type { LocalDay } from '../../kernel/bill-cycle.ts';
import type { Db } from '../../platform/db/db.ts';
import { defineJob } from '../../platform/jobs/job.ts';
import { deleteInBatches } from '../../platform/jobs/purge.ts';
import { deleteOldLineChanges, deleteOldOwners } from '../devices/index.ts';
import { DAY_MS, firstDayKept } from './ledger.ts';
import { deleteOldTransactions } from './services/sql-transaction.ts';
import {
  deleteMovedBefore,
  deleteOldBatches,
  deleteUsageBefore,
  listAccountsWithUsageBefore,
  setLedgerStart,
} from './sql-ledger.ts';

const BATCH = 5_000;
const ACCOUNTS = 100;
const HOUR_MS = 3_600_000;

async function deleteRecords(db: Db, day: LocalDay, signal: AbortSignal): Promise<void> {
  for (;;) {
    const accounts = await listAccountsWithUsageBefore(db, day, ACCOUNTS);
    if (accounts.length === 0) return;
    for (const account of accounts) {
      // Before anything is removed: from now on no record of those days is taken or compared.
      await setLedgerStart(db, account.ecpdId, day);
      await deleteInBatches(signal, () => deleteMovedBefore(db, account, day, BATCH));
      await deleteInBatches(signal, () => deleteUsageBefore(db, account, day, BATCH));
    }
  }
}

/** Records and billed uses go when they are too old, with their order; what they added up to stays in the counters. */
export const purgeUsage = (keptDays: number) =>
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
      return undefined;
    },
  });
