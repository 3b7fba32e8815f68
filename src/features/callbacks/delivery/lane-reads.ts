import type { Ctx } from '../../../platform/context/context.ts';
import { gatherByProfile } from '../../../platform/flow-control/gather.ts';
import type { OpenListener } from '../listeners/sql-listener.ts';
import type { LeasedLane } from './lane.ts';
import { type Asked, type DueOfLane, listDueMessages, listOpenListeners, type Place } from './sql-due.ts';

/** Messages of all lanes that ask at once; but each of these gets at least the second. */
const [SHARED_BATCH, SHARE_MIN] = [2_000, 8];

/** Within its profile. */
const nameOf = ({ accountName, serviceName }: Readonly<Record<'accountName' | 'serviceName', string>>) =>
  `${accountName} ${serviceName}`;

/** What workers read of their lanes. Those of one profile that ask at once share a statement. */
export interface LaneReads {
  /** The next due messages after this one, so many at most. */
  listDue(lane: LeasedLane, after: Place | undefined, limit: number): Promise<DueOfLane>;
  /** Undefined where nothing may be sent now: it is paused or gone, or the lane is another's. */
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
