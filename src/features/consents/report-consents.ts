import type { Ctx, Tenant } from '../../platform/context/context.ts';
import { consentFailure, consentReport } from '../callback-payloads/index.ts';
import { postCallbacks } from '../callbacks/index.ts';
import { type ConsentLevel, DEVICES_MAX, isReportedAlone } from './consent.ts';
import type { WireDeviceRef } from './wire.ts';

export interface ReportedDevice extends WireDeviceRef {
  readonly consent: ConsentLevel;
}

interface Report {
  readonly transactionID: string;
  /** The account's level. */
  readonly level: ConsentLevel;
  readonly done: readonly ReportedDevice[];
  readonly failed: readonly ReportedDevice[];
  readonly evenEmpty?: boolean;
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

/**
 * Posts the reports in one statement, at most one message for each device. Without devices it posts none or, with
 * `evenEmpty`, an empty report. Returns the number of messages.
 */
export async function postReports(
  ctx: Ctx,
  { ecpdId, accountName }: Tenant,
  { transactionID, level, done, failed, evenEmpty }: Report,
): Promise<number> {
  const update = { accountName, transactionID, level };
  const lists = evenEmpty && done.length === 0 ? [[]] : intoCallbacks(done);
  const payloads = [
    ...lists.map((deviceList) => consentReport({ ...update, deviceList })),
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
