import type { Ctx } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { type Query, sql } from '../../platform/db/sql.ts';
import type { NetworkLine, Route } from './order.ts';
import type { ClosedOrder } from './sql-order.ts';

type Routed = Pick<NetworkLine, 'deviceId' | 'accountName' | 'imsi'>;

/**
 * The network behind the lines, for features that change lines: the elements that serve a line, and how long orders
 * are tried. `app` composes it; without a network, no line waits for anything.
 */
export interface LineNetwork {
  /** Lines without an entry have no element. Pass only lines with an IMSI. */
  routesOf(db: Db, ecpdId: string, lines: readonly Routed[]): Promise<ReadonlyMap<string, readonly Route[]>>;
  /** Whether orders use the real time of the database, or domain time. */
  readonly time: 'real' | 'domain';
  /** An order older than this has failed. */
  readonly maxAgeMs: number;
  /** Called with closed orders, in the transaction that closed them. */
  readonly onClosed: (tx: Ctx, ecpdId: string, closed: readonly ClosedOrder[]) => Promise<void>;
}

/** The present, in the time that orders use. */
export const orderTime = ({ time }: Pick<LineNetwork, 'time'>, { now }: Pick<Ctx, 'now'>): Query =>
  time === 'real' ? sql`statement_timestamp()` : sql`${now()}::timestamptz`;

export const isOpen = ({ state }: { readonly state: string }): boolean =>
  state === 'waiting' || state === 'taken';
