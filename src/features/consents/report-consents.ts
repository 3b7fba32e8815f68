import type { Ctx, Tenant } from '../../platform/context/context.ts';
import { consentFailure, consentReport, postCallbacks } from '../callbacks/index.ts';
import { type ConsentLevel, DEVICES_MAX, isReportedAlone } from './consent.ts';
import type { WireDeviceRef } from './device-ref.ts';

export interface ReportedDevice extends WireDeviceRef {
  readonly consent: ConsentLevel;
}

export interface Report {
  readonly transactionID: string;
  /** The account's. */
  readonly level: ConsentLevel;
  readonly done: readonly ReportedDevice[];
  readonly failed: readonly ReportedDevice[];
}

function intoCallbacks(devices: readonly ReportedDevice[]): (readonly ReportedDevice[])[] {
  const { alone = [], together = [] } = Object.groupBy(devices, ({ consent }) =>
    isReportedAlone(consent) ? 'alone' : 'together',
  );
  const lists = alone.map((device) => [device]);
  for (let from = 0; from < together.length; from += DEVICES_MAX)
    lists.push(together.slice(from, from + DEVICES_MAX));
  return lists;
}

const DELETED = {
  type: 'INTERNAL ERROR',
  info: 'The device was deleted before its consent could be confirmed.',
};

/** In one statement, at most one message for each device. Answers how many it posted. */
export async function postReports(
  ctx: Ctx,
  { ecpdId, accountName }: Tenant,
  { transactionID, level, done, failed }: Report,
): Promise<number> {
  const update = { accountName, transactionID, level };
  const payloads = [
    ...intoCallbacks(done).map((deviceList) => consentReport({ ...update, deviceList })),
    ...intoCallbacks(failed).map((list) =>
      consentFailure({ ...update, deviceList: list.map((device) => ({ ...device, error: DELETED })) }),
    ),
  ];
  await postCallbacks(
    ctx,
    ecpdId,
    payloads.map((payload) => ({
      accountName,
      serviceName: 'consentEnableReport',
      requestId: transactionID,
      payload,
    })),
  );
  return payloads.length;
}

/** Whoever waits for a report about an account without devices hears that there was nobody to report on. */
export const postEmptyReport = (
  ctx: Ctx,
  { ecpdId, accountName }: Tenant,
  { transactionID, level }: Pick<Report, 'transactionID' | 'level'>,
) =>
  postCallbacks(ctx, ecpdId, [
    {
      accountName,
      serviceName: 'consentEnableReport',
      requestId: transactionID,
      payload: consentReport({ accountName, transactionID, level, deviceList: [] }),
    },
  ]);
