import type { Ctx, Tenant } from '../../platform/context/context.ts';
import { deviceLocated, deviceNotLocated, postCallbacks, reportCompleted } from '../callbacks/index.ts';
import { entryWriter, toWirePosition } from '../locations/index.ts';
import type { LocationRequest } from './location-request.ts';
import type { SettledEntry } from './sql-entry.ts';

/** What listeners are told, in the transaction that made it true. */
export interface TellListeners {
  /** One message for each device that was settled. */
  devices(
    ctx: Ctx,
    tenant: Tenant,
    request: Pick<LocationRequest, 'txid' | 'accuracy' | 'cacheMode'>,
    entries: readonly SettledEntry[],
  ): Promise<void>;
  /** That a report is completed, or that an entry of it has changed since. */
  report(ctx: Ctx, tenant: Tenant, request: Pick<LocationRequest, 'txid' | 'totalCount'>): Promise<void>;
}

export function tellListeners(prefix: string): TellListeners {
  const write = entryWriter(prefix);
  return {
    async devices(ctx, { ecpdId, accountName }, request, entries) {
      const { txid, accuracy, cacheMode } = request;
      const reported = { accountName, transactionID: txid };
      const payloadOf = ({ msid, outcome }: SettledEntry) =>
        'fix' in outcome
          ? deviceLocated(reported, { msid, pd: toWirePosition(outcome.fix, outcome.cached, cacheMode) })
          : deviceNotLocated(reported, { msid, error: write.error(outcome.failure, outcome.at) });
      await postCallbacks(
        ctx,
        ecpdId,
        entries.map((entry) => ({
          accountName,
          serviceName: 'DeviceLocation' as const,
          requestId: txid,
          payload: payloadOf(entry),
          restsOn: {
            deviceId: entry.deviceId,
            accuracy,
            ...(entry.deniedWhenAsked && { deniedWhenAsked: true }),
          },
        })),
      );
    },
    async report(ctx, { ecpdId, accountName }, { txid, totalCount }) {
      const payload = reportCompleted({ accountName, txid, totalCount });
      await postCallbacks(ctx, ecpdId, [{ accountName, serviceName: 'Location', requestId: txid, payload }]);
    },
  };
}
