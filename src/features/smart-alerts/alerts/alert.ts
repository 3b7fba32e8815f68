import type { Values } from '../../device-management/index.ts';
import type { WireAlert } from '../schemas.ts';
import type { Cause } from '../watching/watch.ts';

export interface SmartAlert {
  readonly alertId: string;
  readonly accountName: string;
  readonly ruleId: string;
  readonly ruleName: string;
  readonly deviceId: string;
  readonly cause: Cause;
  readonly message: string;
  readonly reading: Values;
  readonly raisedAt: Date;
  readonly clearedAt: Date | null;
  readonly clearedBecause: string | null;
  readonly acknowledgedAt: Date | null;
  readonly acknowledgedBy: string | null;
  readonly foreignId: string;
  readonly createdOn: Date;
  readonly lastUpdated: Date;
  readonly version: bigint;
  readonly versionId: string;
}

const momentOrNull = (at: Date | null): string | null => at?.toISOString() ?? null;

export const toWireAlert = (alert: SmartAlert): WireAlert => ({
  accountclientid: null,
  acknowledged: alert.acknowledgedAt !== null,
  acknowledgedby: alert.acknowledgedBy,
  acknowledgedon: momentOrNull(alert.acknowledgedAt),
  billingaccountid: alert.accountName,
  cause: alert.cause,
  clearedon: momentOrNull(alert.clearedAt),
  clearedreason: alert.clearedBecause,
  createdon: alert.createdOn.toISOString(),
  description: alert.message,
  deviceid: alert.deviceId,
  foreignid: alert.foreignId,
  id: alert.alertId,
  lastupdated: alert.lastUpdated.toISOString(),
  name: alert.ruleName,
  raisedon: alert.raisedAt.toISOString(),
  reading: alert.reading,
  ruleid: alert.ruleId,
  state: alert.clearedAt === null ? 'raised' : 'cleared',
  version: String(alert.version),
  versionid: alert.versionId,
});

/** Unknown names are ignored. */
export const project = (alert: WireAlert, wanted: ReadonlySet<string> | undefined): Partial<WireAlert> =>
  wanted === undefined
    ? alert
    : Object.fromEntries(Object.entries(alert).filter(([name]) => wanted.has(name)));
