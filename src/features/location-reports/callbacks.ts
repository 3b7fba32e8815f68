import type { Ctx, Tenant } from '../../platform/context/context.ts';
import { deviceLocated, deviceNotLocated, reportCompleted } from '../callback-payloads/index.ts';
import { postCallbacks, type RestingMessage, type WithholdPayloads } from '../callbacks/index.ts';
import { listWithheld, type Withheld } from '../consents/index.ts';
import { entryWriter, toWirePosition } from '../locations/index.ts';
import { withheldFailure } from './get-report.ts';
import type { LocationRequest } from './location-request.ts';
import type { SettledEntry } from './sql-entry.ts';

export type ListenerNotifier = ReturnType<typeof listenerNotifier>;

/** An entry that its listener is told about, with what its payload says of its request. */
interface ToldEntry extends SettledEntry {
  readonly request: Pick<LocationRequest, 'txid' | 'accuracy' | 'cacheMode'>;
}

/** Posts callbacks in the transaction that makes their content true. */
export function listenerNotifier(prefix: string) {
  const write = entryWriter(prefix);
  return {
    /** One message for each settled device, of any number of requests. */
    async devices(ctx: Ctx, { ecpdId, accountName }: Tenant, entries: readonly ToldEntry[]) {
      const payloadOf = ({ msid, outcome, request: { txid, cacheMode } }: ToldEntry) => {
        const reported = { accountName, transactionID: txid };
        return 'fix' in outcome
          ? deviceLocated(reported, { msid, pd: toWirePosition(outcome.fix, outcome.cached, cacheMode) })
          : deviceNotLocated(reported, { msid, error: write.error(outcome.failure, outcome.at) });
      };
      await postCallbacks(
        ctx,
        ecpdId,
        entries.map((entry) => ({
          accountName,
          serviceName: 'DeviceLocation' as const,
          requestId: entry.request.txid,
          payload: payloadOf(entry),
          restsOn: {
            deviceId: entry.deviceId,
            accuracy: entry.request.accuracy,
            ...(entry.deniedWhenAsked && { deniedWhenAsked: true }),
          },
        })),
      );
    },
    /** Posts that each report is completed, or that entries of it have changed since. */
    async reports(
      ctx: Ctx,
      { ecpdId, accountName }: Tenant,
      requests: readonly Pick<LocationRequest, 'txid' | 'totalCount'>[],
    ) {
      await postCallbacks(
        ctx,
        ecpdId,
        requests.map(({ txid, totalCount }) => ({
          accountName,
          serviceName: 'Location' as const,
          requestId: txid,
          payload: reportCompleted({ accountName, txid, totalCount }),
        })),
      );
    },
  };
}

interface Report {
  readonly transactionID: string;
  readonly deviceList: readonly { readonly msid: string; readonly error: { readonly type?: string } }[];
}

/**
 * The payload for a device that may not be located now, which replaces the stored `payload`. Undefined if the stored one
 * says the same.
 */
function withheldPayload(
  tenant: Tenant,
  payload: string,
  why: Withheld,
  error: { type: string; info: string; time: string },
): string | undefined {
  const stored = JSON.parse(payload) as Report & { readonly message?: Report };
  const { transactionID, deviceList } = stored.message ?? stored;
  // Of a line that the account does not have, only a position is withheld.
  if (why === 'lost' && stored.message === undefined) return undefined;
  if (deviceList.every((device) => device.error.type === error.type)) return undefined;
  const reported = { accountName: tenant.accountName, transactionID };
  return JSON.stringify(deviceNotLocated(reported, { msid: deviceList[0]?.msid ?? '', error }));
}

/** Checks consent for the delivery: two statements for any number of messages of an account. */
export function withholdLocations(prefix: string): WithholdPayloads {
  const write = entryWriter(prefix);
  return async (ctx: Ctx, tenant: Tenant, messages: readonly RestingMessage[]) => {
    const instead = new Map<string, string>();
    const now = ctx.now();
    for (const [accuracy, its] of Map.groupBy(messages, ({ restsOn }) => restsOn.accuracy)) {
      const ids = its.map(({ restsOn }) => restsOn.deviceId);
      const withheld = await listWithheld(ctx.db, tenant, ids, accuracy);
      for (const { messageId, payload, restsOn } of its) {
        const why = withheld.get(restsOn.deviceId);
        if (why === undefined) continue;
        const failure = withheldFailure(why, restsOn.deniedWhenAsked ?? false);
        const replacement = withheldPayload(tenant, payload, why, write.error(failure, now));
        if (replacement !== undefined) instead.set(messageId, replacement);
      }
    }
    return instead;
  };
}
