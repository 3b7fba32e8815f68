import type { Ctx } from '../../../platform/context/context.ts';
import { sealContext } from './listener-secrets.ts';
import type { ListenerRow } from './sql-listener.ts';
import {
  countSealed,
  listMissingKeys,
  listProfilesToReseal,
  listToReseal,
  type SealedCounts,
  updateSealed,
} from './sql-sealed.ts';

const PROFILES = 100;
const BATCH = 500;

type Secrets = Pick<Ctx, 'secrets' | 'now'>;

function reseal({ secrets, now }: Secrets, listener: ListenerRow): ListenerRow {
  const sealAgain = <T extends string | null>(
    sealed: T,
    part: 'username' | 'password' | 'secret',
  ): T | string => {
    if (sealed === null || secrets.keyIdOf(sealed) === secrets.currentKeyId) return sealed;
    const context = sealContext(listener, part);
    try {
      return secrets.seal(secrets.open(sealed, context), context);
    } catch {
      // The key is gone. The log reports it at every start, the metrics count it, and the text stays in case the key
      // is found.
      return sealed;
    }
  };
  const rotating = listener.previousSecretUntil !== null && listener.previousSecretUntil > now();
  return {
    ...listener,
    usernameSealed: sealAgain(listener.usernameSealed, 'username'),
    passwordSealed: sealAgain(listener.passwordSealed, 'password'),
    secretSealed: sealAgain(listener.secretSealed, 'secret'),
    previousSecretSealed: rotating ? sealAgain(listener.previousSecretSealed, 'secret') : null,
    previousSecretUntil: rotating ? listener.previousSecretUntil : null,
  };
}

const SEALED = ['usernameSealed', 'passwordSealed', 'secretSealed', 'previousSecretSealed'] as const;
const isSame = (one: ListenerRow, other: ListenerRow) => SEALED.every((part) => one[part] === other[part]);

async function resealProfile(ctx: Ctx, ecpdId: string, signal: AbortSignal): Promise<number> {
  const query = { keyId: ctx.secrets.currentKeyId, now: ctx.now(), limit: BATCH };
  let resealed = 0;
  let after: ListenerRow | undefined;
  do {
    const found = await listToReseal(ctx.db, ecpdId, { ...query, after });
    const changed = found
      .map((before) => ({ before, after: reseal(ctx, before) }))
      .filter((each) => !isSame(each.before, each.after));
    if (changed.length > 0) resealed += await updateSealed(ctx.db, ecpdId, changed);
    after = found.length < BATCH ? undefined : found.at(-1);
  } while (after !== undefined && !signal.aborted);
  return resealed;
}

/**
 * Seals everything with the first key, so that other keys can be dropped. Safe to repeat or interrupt: secrets
 * already sealed with the first key are skipped. Returns how many listeners changed.
 */
export async function resealListeners(ctx: Ctx, signal: AbortSignal): Promise<number> {
  const query = { keyId: ctx.secrets.currentKeyId, now: ctx.now(), limit: PROFILES };
  let resealed = 0;
  let after: string | undefined;
  do {
    const profiles = await listProfilesToReseal(ctx.db, { ...query, after });
    for (const ecpdId of profiles) if (!signal.aborted) resealed += await resealProfile(ctx, ecpdId, signal);
    after = profiles.length < PROFILES ? undefined : profiles.at(-1);
  } while (after !== undefined && !signal.aborted);
  if (resealed > 0) ctx.log.info({ listeners: resealed, keyId: query.keyId }, 'resealed listener secrets');
  return resealed;
}

/** For the metrics. */
export const countSealedListeners = ({ db, secrets }: Ctx): Promise<SealedCounts> => countSealed(db, secrets);

/** At the start: reports missing keys before a callback fails for lack of one. */
export async function reportMissingKeys({ db, secrets, log }: Ctx): Promise<void> {
  for (const { keyId, listeners } of await listMissingKeys(db, secrets.keyIds))
    log.error(
      { keyId, listeners },
      `LINEKEEPER_SECRET_KEY lacks the key ${keyId}, which sealed secrets of listeners: their callbacks wait for the key or a new registration`,
    );
}
