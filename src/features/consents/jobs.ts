import { Type } from 'typebox';
import { isAccountName } from '../../kernel/account-name.ts';
import type { Ctx, Tenant } from '../../platform/context/context.ts';
import { enqueueJobs } from '../../platform/jobs/enqueue.ts';
import { defineJob, type JobKind } from '../../platform/jobs/job.ts';
import { definePurge } from '../../platform/jobs/purge.ts';
import { findAccountByName } from '../accounts/index.ts';
import { CONSENT_LEVELS, DEVICES_MAX } from './consent.ts';
import { LOCATION_KINDS } from './device-ref.ts';
import { postReports, type ReportedDevice } from './report-consents.ts';
import { listDevicePage, listDevicesByKey } from './sql-device.ts';
import { deleteOldLines } from './sql-past-line.ts';
import { toWireDevice } from './wire.ts';

const Given = Type.Object({
  accountName: Type.String(),
  /** The device after which the worker continues. */
  after: Type.Optional(Type.String({ minLength: 36, maxLength: 36 })),
});

/** The kind of the job only. The feature that waits for consents implements it. */
export const consentsGiven = { kind: 'consents.given', schema: Given, attemptsMax: 20 } as const;

/**
 * Call it in the transaction of a change that allows more devices to be located. An import does not call it: the
 * waiting feature checks every hour anyway.
 */
export const enqueueConsentsGiven = (ctx: Ctx, { ecpdId, accountName }: Tenant) =>
  enqueueJobs(ctx, consentsGiven, ecpdId, [{ payload: { accountName } }]);

const ATTEMPTS_MAX = 20;
const Level = Type.Enum([...CONSENT_LEVELS]);
const Uuid = Type.String({ minLength: 36, maxLength: 36 });
const reported = { transactionID: Uuid, accountName: Type.String(), level: Level };

/** Undefined if the account was deleted: no listener is left. */
const findReportedAccount = async ({ db }: Ctx, accountName: string): Promise<Tenant | undefined> =>
  isAccountName(accountName) ? findAccountByName(db, accountName) : undefined;

const AccountReport = Type.Object({
  ...reported,
  /** The last device that was reported. */
  after: Type.Optional(Uuid),
  /** Whether a message was posted already. */
  reported: Type.Boolean(),
});

/**
 * Reports one page of an account's devices. Its messages, the end of this job and the job for the next page commit
 * together: a crash neither repeats nor loses a page.
 */
export const reportAccountConsent: JobKind<typeof AccountReport> = defineJob({
  kind: 'consents.report-account',
  schema: AccountReport,
  attemptsMax: ATTEMPTS_MAX,
  commits: 'transaction',
  async run(ctx, { accountName, after, ...report }) {
    const tenant = await findReportedAccount(ctx, accountName);
    if (tenant === undefined) return undefined;
    const rows = await listDevicePage(ctx.db, tenant, { after, limit: DEVICES_MAX });
    const done = rows.flatMap((row): ReportedDevice[] => {
      const device = toWireDevice(row);
      return device === undefined ? [] : [{ ...device, consent: report.level }];
    });
    const last = rows.length === DEVICES_MAX ? rows.at(-1) : undefined;
    // An account without devices gets an empty report, so that the caller gets an answer.
    const evenEmpty = last === undefined && !report.reported;
    const posted = await postReports(ctx, tenant, { ...report, done, failed: [], evenEmpty });
    if (last !== undefined) {
      const payload = {
        ...report,
        accountName,
        after: last.deviceId,
        reported: report.reported || posted > 0,
      };
      await enqueueJobs(ctx, reportAccountConsent, tenant.ecpdId, [{ payload }]);
    }
    return undefined;
  },
});

const DeviceReport = Type.Object({
  ...reported,
  devices: Type.Array(
    Type.Object({ deviceId: Uuid, kind: Type.Enum([...LOCATION_KINDS]), id: Type.String(), level: Level }),
    { maxItems: DEVICES_MAX },
  ),
});

/** Reports devices as the request named them, with their present number. */
export const reportDeviceConsents = defineJob({
  kind: 'consents.report-devices',
  schema: DeviceReport,
  attemptsMax: ATTEMPTS_MAX,
  commits: 'transaction',
  async run(ctx, { transactionID, accountName, level, devices }) {
    const tenant = await findReportedAccount(ctx, accountName);
    if (tenant === undefined) return undefined;
    const keys = devices.map(({ deviceId }) => deviceId);
    const mdnOf = new Map(
      (await listDevicesByKey(ctx.db, tenant, keys)).map(({ deviceId, mdn }) => [deviceId, mdn]),
    );
    const toReported = (device: (typeof devices)[number]): ReportedDevice => {
      const mdn = mdnOf.get(device.deviceId);
      const { id, kind, level: consent } = device;
      return { id, kind: kind.toUpperCase(), consent, ...(mdn != null && { mdn }) };
    };
    const { done = [], failed = [] } = Object.groupBy(devices, ({ deviceId }) =>
      mdnOf.has(deviceId) ? 'done' : 'failed',
    );
    await postReports(ctx, tenant, {
      transactionID,
      level,
      done: done.map(toReported),
      failed: failed.map(toReported),
    });
    return undefined;
  },
});

const DAY_MS = 24 * 3_600_000;
/** A report or a failed callback can show a position for this long after its line has left. */
const SHOWN_DAYS = 62;

/** Lines that left are kept as long as any position or usage of the time: in production to the end of their month. */
export const purgePastLines = (keptDays: {
  readonly usage: number;
  readonly positions: number;
  readonly history: number;
}) =>
  definePurge({
    kind: 'consents.purge-past-lines',
    batch: 5_000,
    retentions: [
      {
        keptMs: (Math.max(keptDays.usage, keptDays.positions, keptDays.history) + SHOWN_DAYS) * DAY_MS,
        deleteBefore: deleteOldLines,
      },
    ],
  });
