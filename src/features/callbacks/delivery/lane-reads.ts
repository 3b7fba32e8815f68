import type { Ctx } from '../../../platform/context/context.ts';
import { gatherByProfile } from '../../../platform/flow-control/gather.ts';
import type { OpenListener } from '../listeners/sql-listener.ts';
import type { LeasedLane } from './lane.ts';
import { type Asked, type DueOfLane, listDueMessages, listOpenListeners, type Place } from './sql-due.ts';

/** Messages shared by all lanes that ask at once; each lane gets at least the second number. */
const [SHARED_BATCH, SHARE_MIN] = [2_000, 8];

/** Unique within its profile. */
const nameOf = ({ accountName, serviceName }: Readonly<Record<'accountName' | 'serviceName', string>>) =>
  `${accountName} ${serviceName}`;

/** Reads for lane workers. Concurrent reads of one profile share a statement. */
export interface LaneReads {
  /** The next due messages after this one, at most `limit`. */
  listDue(lane: LeasedLane, after: Place | undefined, limit: number): Promise<DueOfLane>;
  /** Undefined if nothing may be sent now: the listener is paused or removed, or another worker holds the lane. */
  findListener(lane: LeasedLane): Promise<OpenListener | undefined>;
}

export function createLaneReads(ctx: Ctx): LaneReads {
  const listDue = gatherByProfile((ecpdId, asked: readonly Asked[]) => {
    const most = Math.max(SHARE_MIN, Math.floor(SHARED_BATCH / asked.length));
    const shares = asked.map((each) => ({ ...each, limit: Math.min(each.limit, most) }));
    return listDueMessages(ctx.db, ecpdId, shares, ctx.now());
  });
  const findListener = gatherByProfile(async (ecpdId, asked: readonly { readonly lane: LeasedLane }[]) => {
    const lanes = asked.map(({ lane }) => lane);
    const rows = await listOpenListeners(ctx.db, ecpdId, lanes);
    const byName = new Map(rows.map((row) => [nameOf(row), row]));
    return lanes.map((lane) => byName.get(nameOf(lane)));
  });
  return {
    listDue: (lane, after, limit) => listDue(lane.ecpdId, { lane, after, limit }),
    findListener: (lane) => findListener(lane.ecpdId, { lane }),
  };
}
