import type { Ctx, Tenant } from '../../platform/context.ts';
import { deviceNotLocated, type RestingMessage, type WithholdPayloads } from '../callbacks/index.ts';
import { listWithheld } from '../consents/index.ts';
import { CONSENT_FAILED, entryWriter } from '../locations/index.ts';

interface Report {
  readonly transactionID: string;
  readonly deviceList: readonly { readonly msid: string; readonly pd: object }[];
}

/**
 * What the listener hears of a device whose consent is gone; what it was about to hear is the stored payload. Undefined
 * where that carries no position: why there is none has been said, and stays true.
 */
function withdrawnPayload(
  tenant: Tenant,
  payload: string,
  error: { type: string; info: string; time: string },
): string | undefined {
  const stored = JSON.parse(payload) as Report & { readonly message?: Report };
  const { transactionID, deviceList } = stored.message ?? stored;
  if (deviceList.every(({ pd }) => Object.keys(pd).length === 0)) return undefined;
  const reported = { accountName: tenant.accountName, transactionID };
  return JSON.stringify(deviceNotLocated(reported, { msid: deviceList[0]?.msid ?? '', error }));
}

/** Fulfils the question of the delivery: two statements for any number of messages of an account. */
export function withholdLocations(prefix: string): WithholdPayloads {
  const write = entryWriter(prefix);
  return async (ctx: Ctx, tenant: Tenant, messages: readonly RestingMessage[]) => {
    const instead = new Map<string, string>();
    const error = write.error(CONSENT_FAILED, ctx.now());
    for (const [accuracy, its] of Map.groupBy(messages, ({ restsOn }) => restsOn.accuracy)) {
      const ids = its.map(({ restsOn }) => restsOn.deviceId);
      const withheld = await listWithheld(ctx.db, tenant, ids, accuracy);
      for (const { messageId, payload, restsOn } of its) {
        if (!withheld.has(restsOn.deviceId)) continue;
        const withdrawn = withdrawnPayload(tenant, payload, error);
        if (withdrawn !== undefined) instead.set(messageId, withdrawn);
      }
    }
    return instead;
  };
}
