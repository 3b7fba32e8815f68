import type { Ctx, Tenant } from '../../platform/context.ts';
import { deviceLocated, deviceNotLocated, postCallbacks, reportCompleted } from '../callbacks/index.ts';
import { type EntryWriter, entryWriter } from '../locations/index.ts';
import type { LocationRequest } from './location-request.ts';
import type { Entry } from './sql-entry.ts';

/** What listeners are told, in the transaction that made it true. */
export interface TellListeners {
  /** One message for each device that was settled. */
  devices(
    ctx: Ctx,
    tenant: Tenant,
    request: Pick<LocationRequest, 'txid' | 'accuracy' | 'cacheMode'>,
    entries: readonly Entry[],
  ): Promise<void>;
  /** That a report is completed, or that an entry of it has changed since. */
  report(ctx: Ctx, tenant: Tenant, request: Pick<LocationRequest, 'txid' | 'totalCount'>): Promise<void>;
}

const payloadOf = (
  write: EntryWriter,
  reported: { accountName: string; transactionID: string },
  { msid, outcome }: Entry,
  { cacheMode }: Pick<LocationRequest, 'cacheMode'>,
) => {
  const { pd, error } = write.entry(msid, outcome, cacheMode);
  const { x, y, radius, qos, time } = pd;
  if (x === undefined || y === undefined || radius === undefined || qos === undefined || time === undefined)
    return deviceNotLocated(reported, {
      msid,
      error: { type: error.type ?? '', info: error.info ?? '', time: error.time ?? '' },
    });
  return deviceLocated(reported, { msid, pd });
};

export function tellListeners(prefix: string): TellListeners {
  const write = entryWriter(prefix);
  return {
    async devices(ctx, { ecpdId, accountName }, request, entries) {
      const { txid, accuracy } = request;
      const reported = { accountName, transactionID: txid };
      await postCallbacks(
        ctx,
        ecpdId,
        entries.map((entry) => ({
          accountName,
          serviceName: 'DeviceLocation' as const,
          requestId: txid,
          payload: payloadOf(write, reported, entry, request),
          restsOn: { deviceId: entry.deviceId, accuracy },
        })),
      );
    },
    async report(ctx, { ecpdId, accountName }, { txid, totalCount }) {
      const payload = reportCompleted({ accountName, txid, totalCount });
      await postCallbacks(ctx, ecpdId, [{ accountName, serviceName: 'Location', requestId: txid, payload }]);
    },
  };
}
