import { Type } from 'typebox';
import { defineJob } from '../../platform/jobs/job.ts';
import { deleteInBatches } from '../../platform/jobs/purge.ts';
import { firstDayKept } from './ledger.ts';
import { deleteOldTransactions } from './services/sql-transaction.ts';
import { deleteUsageBefore, listAccountsWithUsageBefore, setLedgerStart } from './sql-ledger.ts';

const BATCH = 5_000;
const ACCOUNTS = 100;
const HOUR_MS = 3_600_000;

/** Records and billed uses go when they are too old; what they added up to stays in the counters. */
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
      for (;;) {
        const accounts = await listAccountsWithUsageBefore(db, day, ACCOUNTS);
        if (accounts.length === 0) return undefined;
        for (const account of accounts) {
          // Before anything is removed: from now on no record of those days is taken or compared.
          await setLedgerStart(db, account.ecpdId, day);
          await deleteInBatches(signal, () => deleteUsageBefore(db, account, day, BATCH));
        }
      }
    },
  });
