import type { Ctx } from '../../platform/context/context.ts';
import type { Db } from '../../platform/db/db.ts';
import { type Query, sql } from '../../platform/db/sql.ts';
import type { NetworkLine, Route } from './order.ts';
import type { ClosedOrder } from './sql-order.ts';

type Routed = Pick<NetworkLine, 'deviceId' | 'accountName' | 'imsi'>;

/**
 * The network behind the lines, for features that change them: which elements a line is mapped to, and how long they are
 * tried. `app` puts it together; where there is none no line waits for anything.
 */
export interface LineNetwork {
  /** Lines without an entry are mapped to no element. Only of lines that have an IMSI. */
  routesOf(db: Db, ecpdId: string, lines: readonly Routed[]): Promise<ReadonlyMap<string, readonly Route[]>>;
  /** Whether orders keep the real time of the database, or domain time. */
  readonly time: 'real' | 'domain';
  /** After this an order has failed. */
  readonly maxAgeMs: number;
  /** Orders have come to their ends: called in the transaction that ended them. */
  readonly onClosed: (tx: Ctx, ecpdId: string, closed: readonly ClosedOrder[]) => Promise<void>;
}

/** Now, by the time that orders keep. */
export const orderTime = ({ time }: Pick<LineNetwork, 'time'>, { now }: Pick<Ctx, 'now'>): Query =>
  time === 'real' ? sql`statement_timestamp()` : sql`${now()}::timestamptz`;

export const isOpen = ({ state }: { readonly state: string }): boolean =>
  state === 'waiting' || state === 'taken';
