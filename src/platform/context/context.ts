import type { AccountName, EcpdId } from '../../kernel/account-name.ts';
import type { Chance } from '../chance/chance.ts';
import type { Clock } from '../clock/clock.ts';
import type { SecretBox } from '../crypto/secret-box.ts';
import type { Db } from '../db/db.ts';
import type { Log } from '../telemetry/log.ts';
import type { TraceParent } from '../telemetry/tracing/tracing.ts';

/** The request id of work without a request: timers, recurring jobs, the start of the service. */
export const NO_REQUEST = 'service';

/** The first argument of every use-case: the outside world, as values that a test can replace. */
export interface Ctx {
  readonly db: Db;
  readonly clock: Clock;
  /** Domain time. Never `new Date()` in a feature, never `now()` in its SQL. */
  readonly now: () => Date;
  readonly newId: () => string;
  /** Source of all other random values; `newId` has its own. */
  readonly chance: Chance;
  readonly log: Log;
  readonly secrets: SecretBox;
  /** log2 of the cost of hashing a password. */
  readonly hashCost: number;
  /** The request id of the caller, or `NO_REQUEST`. Passed on to logs, jobs and callback headers. */
  readonly requestId: string;
  /** The trace of this work, if traces are enabled; jobs and messages that it causes continue it. */
  readonly trace?: TraceParent | undefined;
  /** Changes are recorded under this name. */
  readonly actor: Actor;
  /** The address of the caller, as far as proxies are trusted. */
  readonly callerAddress?: string;
}

/** The request that caused something, as stored in rows; null without a request. */
export const causeOf = ({ requestId }: Pick<Ctx, 'requestId'>): string | null =>
  requestId === NO_REQUEST ? null : requestId;

/** Selects what these requests caused, since `since`, up to `limit` for each. */
export interface CausedFilter {
  readonly causes: readonly string[];
  readonly since: Date;
  readonly limit: number;
}

/** The actor: a user, an operator by the name of the key, or the service itself. */
export interface Actor {
  readonly kind: 'operator' | 'user' | 'system';
  readonly name: string;
}

/** The account of a request, found and allowed: every tenant statement takes both values as parameters. */
export interface Tenant {
  readonly ecpdId: EcpdId;
  readonly accountName: AccountName;
}

/** The web-services user behind a session. */
export interface Principal {
  readonly username: string;
  readonly sessionHash: string;
  /** Account name → profile, home account first. */
  readonly accounts: ReadonlyMap<AccountName, EcpdId>;
}

/** The caller of the operator API: the name of the key, and its scopes. */
export interface Operator {
  readonly keyName: string;
  readonly scopes: ReadonlySet<string>;
  /** A program of the service itself: the audit log counts its calls instead of writing a line for each. */
  readonly isOwnProgram?: boolean;
}

/** The user or operator signed in to the console, and the session. */
export type Viewer = { readonly sessionHash: string } & (
  | { readonly kind: 'user'; readonly principal: Principal }
  | { readonly kind: 'operator'; readonly operator: Operator }
);

/** A context for work whose random values are independent of all others: see `Chance`. */
export function forWork<C extends Pick<Ctx, 'chance' | 'newId'>>(ctx: C, work: () => string): C {
  const chance = ctx.chance.of(work);
  return { ...ctx, chance, newId: chance.newId };
}

/** `ecpdId` names the profile of the rows, if the first statement does not. */
export const inTx = <T>(ctx: Ctx, work: (ctx: Ctx) => Promise<T>, ecpdId?: string): Promise<T> =>
  ctx.db.tx((db) => work({ ...ctx, db }), { ecpdId });
