import type { FastifyRequest } from 'fastify';
import { type Ctx, inTx, type Tenant } from '../../../platform/context/context.ts';
import { type FaultKind, refuse } from '../../../platform/context/fault.ts';
import type { SecretBox } from '../../../platform/crypto/secret-box.ts';
import type { ListenerService } from '../../callback-payloads/index.ts';
import { callbackFaults } from '../errors.ts';
import { announceListenerChange, deletePendingOfListener } from '../messages/sql-message.ts';
import type { CheckListenerAddress } from '../send-callback.ts';
import { isAnotherHost, newWebhookSecret, sealContext } from './listener-secrets.ts';
import {
  deleteListener,
  type ListenerRow,
  lockListener,
  setListenerPaused,
  upsertListener,
} from './sql-listener.ts';

interface Registration {
  readonly serviceName: ListenerService;
  readonly url: string | undefined;
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly rotateSecret: boolean;
  /** Whether absent credentials keep their values. The carrier interface replaces a listener as a whole. */
  readonly keepCredentials?: boolean;
}

interface Registered {
  readonly secret: string;
  /** Whether the secret was never shown before. */
  readonly isNew: boolean;
}

function openOrUndefined(secrets: SecretBox, sealed: string, context: string): string | undefined {
  try {
    return secrets.open(sealed, context);
  } catch {
    return undefined;
  }
}

const movesCredentials = (
  known: ListenerRow | undefined,
  { url, username, password }: Registration,
): boolean =>
  ((username === undefined && known?.usernameSealed != null) ||
    (password === undefined && known?.passwordSealed != null)) &&
  (url === undefined || isAnotherHost(url, known?.url));

const SECRET_OVERLAP_MS = 24 * 3_600_000;

/**
 * Registers or replaces a listener in one step, with no moment without a listener. Returns its webhook secret, which
 * stays the same unless rotation is requested: then both secrets sign for a day.
 */
export async function registerListener(
  outer: Ctx,
  tenant: Tenant,
  registration: Registration,
  addressProblem: string | undefined,
  inWords: (kind: FaultKind) => FaultKind = (kind) => kind,
): Promise<Registered> {
  const { serviceName, url, username, password, rotateSecret, keepCredentials = false } = registration;
  if (addressProblem !== undefined) refuse(inWords(callbackFaults.badUrl), { reason: addressProblem });
  return inTx(outer, async ({ db, now, chance, secrets }) => {
    const known = await lockListener(db, tenant, serviceName);
    if (known?.legacy) refuse(inWords(callbackFaults.legacy));
    if (keepCredentials && movesCredentials(known, registration))
      refuse(inWords(callbackFaults.keptCredentials));
    const context = (part: 'username' | 'password' | 'secret') =>
      sealContext({ ...tenant, serviceName }, part);
    const seal = (text: string | undefined, part: 'username' | 'password') => {
      if (text === undefined && keepCredentials) return known?.[`${part}Sealed`] ?? null;
      return text === undefined || text === '' ? null : secrets.seal(text, context(part));
    };
    // A secret whose key is gone cannot be kept, and cannot sign next to the new one.
    const opened = known && openOrUndefined(secrets, known.secretSealed, context('secret'));
    const secret = rotateSecret ? newWebhookSecret(chance) : (opened ?? newWebhookSecret(chance));
    const overlap = rotateSecret && opened !== undefined;
    await upsertListener(
      db,
      tenant,
      {
        serviceName,
        url: url ?? null,
        usernameSealed: seal(username, 'username'),
        passwordSealed: seal(password, 'password'),
        secretSealed: secrets.seal(secret, context('secret')),
        previousSecretSealed: overlap ? (known?.secretSealed ?? null) : (known?.previousSecretSealed ?? null),
        previousSecretUntil: overlap
          ? new Date(now().getTime() + SECRET_OVERLAP_MS)
          : (known?.previousSecretUntil ?? null),
      },
      now(),
    );
    // Without an address no waiting message can ever be sent, and messages posted without one are not for the next
    // listener.
    if (url === undefined || known?.url == null) await deletePendingOfListener(db, tenant, serviceName);
    await announceListenerChange(db, tenant, serviceName);
    return { secret, isNew: secret !== opened };
  });
}

/** False if there is none. Its waiting messages fail and can be re-sent to another listener. */
export const removeListener = (
  outer: Ctx,
  tenant: Tenant,
  serviceName: ListenerService,
  inWords: (kind: FaultKind) => FaultKind = (kind) => kind,
): Promise<boolean> =>
  inTx(outer, async ({ db }) => {
    const known = await lockListener(db, tenant, serviceName);
    if (known === undefined) return false;
    if (known.legacy) refuse(inWords(callbackFaults.legacy));
    await deletePendingOfListener(db, tenant, serviceName);
    await announceListenerChange(db, tenant, serviceName);
    return deleteListener(db, tenant, serviceName);
  });

const setPaused = (
  outer: Ctx,
  tenant: Tenant,
  serviceName: ListenerService,
  paused: boolean,
): Promise<boolean> =>
  inTx(outer, async ({ db, now }) => {
    const found = (await setListenerPaused(db, tenant, serviceName, { paused, now: now() })) === 1;
    if (found) await announceListenerChange(db, tenant, serviceName);
    return found;
  });

/** Both return whether the listener exists; pausing a paused one is no error. */
export const pauseListener = (ctx: Ctx, tenant: Tenant, serviceName: ListenerService) =>
  setPaused(ctx, tenant, serviceName, true);

export const resumeListener = (ctx: Ctx, tenant: Tenant, serviceName: ListenerService) =>
  setPaused(ctx, tenant, serviceName, false);

interface CheckedBefore {
  readonly preHandler: (request: FastifyRequest) => Promise<void>;
  /** The problem with the address; undefined if there is none. */
  problemOf(request: FastifyRequest): string | undefined;
}

/**
 * Looks up an address before the handler, which runs in a transaction if the call has an Idempotency-Key: slow name
 * servers of one customer must not occupy the connections of all.
 */
export function checkBefore(checkAddress: CheckListenerAddress): CheckedBefore {
  const problems = new WeakMap<FastifyRequest, string>();
  return {
    async preHandler(request) {
      const { url } = request.body as { readonly url?: string };
      const problem = url === undefined ? undefined : await checkAddress(url);
      if (problem !== undefined) problems.set(request, problem);
    },
    problemOf: (request) => problems.get(request),
  };
}
