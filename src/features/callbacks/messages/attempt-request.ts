import type { Ctx, Tenant } from '../../../platform/context/context.ts';
import type { Db } from '../../../platform/db/db.ts';
import { sql } from '../../../platform/db/sql.ts';
import { type PreparedListener, prepareListener } from '../delivery/prepare-listener.ts';
import { markOf } from '../listeners/listener-secrets.ts';
import { findListener } from '../listeners/sql-listener.ts';
import type { AttemptRequest } from '../schemas.ts';
import type { RestsOn, WithholdPayloads } from '../send-callback.ts';

interface AttemptKey {
  readonly messageId: string;
  readonly series: number;
  readonly attempt: number;
}

interface SentAttempt {
  readonly messageId: string;
  readonly serviceName: string;
  readonly requestId: string;
  readonly callerRequestId: string | null;
  readonly payload: string;
  readonly restsOn: RestsOn | null;
  readonly signedAt: Date | null;
  readonly mark: number | null;
  /** Whether the listener was changed or replaced after the attempt began. */
  readonly isChanged: boolean;
}

const findSentAttempt = (
  db: Db,
  { ecpdId, accountName }: Tenant,
  { messageId, series, attempt }: AttemptKey,
) =>
  db.maybe<SentAttempt>(sql`
    select m.message_id as "messageId", m.service_name as "serviceName", m.request_id as "requestId",
      m.caller_request_id as "callerRequestId", m.payload, m.rests_on as "restsOn", t.signed_at as "signedAt",
      t.signature_mark as mark,
      exists (
        select 1 from callback_listener l where l.ecpd_id = ${ecpdId} and l.account_name = ${accountName}
          and l.service_name = m.service_name and l.updated_at > t.at) as "isChanged"
    from callback_message m
    join callback_attempt t on t.ecpd_id = ${ecpdId} and t.message_id = m.message_id
      and t.series = ${series} and t.attempt = ${attempt}
    where m.ecpd_id = ${ecpdId} and m.account_name = ${accountName} and m.message_id = ${messageId}`);

/** Undefined if there is no listener now, or its secrets cannot be opened here. */
async function openNow(ctx: Ctx, tenant: Tenant, serviceName: string, userAgent: string) {
  const row = await findListener(ctx.db, tenant, serviceName);
  if (row === undefined || row.url === null) return undefined;
  try {
    return { url: row.url, ...prepareListener(ctx, { ...row, url: row.url }, userAgent) };
  } catch {
    return undefined;
  }
}

/** The signature with the mark of the one that was sent. While a secret is being rotated there are two. */
const sentSignature = (signatures: string, mark: number | null): string | undefined =>
  signatures.split(' ').find((signature) => markOf(signature) === mark);

const SIGNATURE = 'webhook-signature';

/** Signs again with the present secrets, and shows the signature only if it is the one that was sent. */
function remake(listener: PreparedListener, sent: SentAttempt, payload: string, attempt: number) {
  if (sent.signedAt === null) return { signature: 'unknown' as const, headers: [] };
  const { headers } = listener.outgoing({ ...sent, payload }, { attempt, signedAt: sent.signedAt });
  const signature = sentSignature(headers[SIGNATURE]!, sent.mark);
  const shown = Object.entries(headers).filter(([name]) => name !== SIGNATURE);
  if (signature !== undefined) shown.push([SIGNATURE, signature]);
  return {
    signature: signature === undefined ? ('changed' as const) : ('verifies' as const),
    headers: shown.map(([name, value]) => ({ name, value })),
  };
}

interface RequestDeps {
  readonly withhold: WithholdPayloads;
  readonly userAgent: string;
}

/**
 * The request of one attempt, rebuilt from the message and the time of signing. It omits a position whose consent was
 * withdrawn, and also its signature: anyone with the secret could test positions against the signature.
 */
export async function findAttemptRequest(
  ctx: Ctx,
  tenant: Tenant,
  key: AttemptKey,
  { withhold, userAgent }: RequestDeps,
): Promise<AttemptRequest | undefined> {
  const sent = await findSentAttempt(ctx.db, tenant, key);
  if (sent === undefined) return undefined;
  const { messageId, payload, restsOn, isChanged, signedAt } = sent;
  const instead =
    restsOn === null
      ? undefined
      : (await withhold(ctx, tenant, [{ messageId, payload, restsOn }])).get(messageId);
  const listener = await openNow(ctx, tenant, sent.serviceName, userAgent);
  const common = { signedAt, isWithheld: instead !== undefined, isChanged };
  const shown = instead ?? payload;
  if (listener === undefined)
    return { ...common, url: null, headers: [], body: shown, signature: 'noListener' };
  const body = listener.shownBody(shown, key.attempt);
  return { ...common, url: listener.url, body, ...remake(listener, sent, shown, key.attempt) };
}
