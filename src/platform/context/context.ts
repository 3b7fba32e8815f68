import type { AccountName, EcpdId } from '../../kernel/account-name.ts';
import type { Chance } from '../chance/chance.ts';
import type { Clock } from '../clock/clock.ts';
import type { SecretBox } from '../crypto/secret-box.ts';
import type { Db } from '../db/db.ts';
import type { Log } from '../telemetry/log.ts';
import type { TraceParent } from '../telemetry/tracing/tracing.ts';

/** The request id of what nobody asked for: timers, recurring jobs, what the service does at its start. */
export const NO_REQUEST = 'service';

/** What every use-case receives first: the outside world, as values that a test can replace. */
export interface Ctx {
  readonly db: Db;
  readonly clock: Clock;
  /** Domain time. Never `new Date()` in a feature, never `now()` in its SQL. */
  readonly now: () => Date;
  readonly newId: () => string;
  /** What else is made up. `newId` is its own. */
  readonly chance: Chance;
  readonly log: Log;
  readonly secrets: SecretBox;
  /** log2 of what it costs to hash a password. */
  readonly hashCost: number;
  /** Of the caller, or `NO_REQUEST`. Travels into logs, jobs and callback headers. */
  readonly requestId: string;
  /** What this work belongs to, where traces are wanted; jobs and messages that come of it continue it. */
  readonly trace?: TraceParent | undefined;
  /** What changes is written down under this name. */
  readonly actor: Actor;
  /** Where a request came from, as far as proxies are trusted to say. */
  readonly callerAddress?: string;
}

/** Whose call something has come of, as rows keep it; null of what came by itself. */
export const causeOf = ({ requestId }: Pick<Ctx, 'requestId'>): string | null =>
  requestId === NO_REQUEST ? null : requestId;

/** What has come of these requests, none of which is older than `since`; so many of each. */
export interface CausedFilter {
  readonly causes: readonly string[];
  readonly since: Date;
  readonly limit: number;
}

/** Who acts: a user, an operator by the name of the key, or what the service does by itself. */
export interface Actor {
  readonly kind: 'operator' | 'user' | 'system';
  readonly name: string;
}

/** The account that a request speaks about, found and allowed: both are parameters of every tenant statement. */
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

/** Who calls the operator API: the name of the key, and what it may do. */
export interface Operator {
  readonly keyName: string;
  readonly scopes: ReadonlySet<string>;
  /** A program of the service itself: its calls are counted in the audit log, and have no line each. */
  readonly isOwnProgram?: boolean;
}

/** Who is signed in to the console, and by which of its sessions. */
export type Viewer = { readonly sessionHash: string } & (
  | { readonly kind: 'user'; readonly principal: Principal }
  | { readonly kind: 'operator'; readonly operator: Operator }
);

/** For work that draws what it makes up apart from all else: see `Chance`. */
export function forWork<C extends Pick<Ctx, 'chance' | 'newId'>>(ctx: C, work: () => string): C {
  const chance = ctx.chance.of(work);
  return { ...ctx, chance, newId: chance.newId };
}

/** `ecpdId` says whose rows it is about, where the first statement does not. */
export const inTx = <T>(ctx: Ctx, work: (ctx: Ctx) => Promise<T>, ecpdId?: string): Promise<T> =>
  ctx.db.tx((db) => work({ ...ctx, db }), { ecpdId });
