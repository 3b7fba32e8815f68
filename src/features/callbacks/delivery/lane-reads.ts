import type { Ctx } from '../../../platform/context/context.ts';
import { gatherByProfile } from '../../../platform/flow-control/gather.ts';
import type { OpenListener } from '../listeners/sql-listener.ts';
import type { LeasedLane } from './lane.ts';
import { type DueOfLane, listDueMessages, listOpenListeners, type Place } from './sql-due.ts';

/** Messages of one lane in one answer, and of all lanes that ask at once; but each of these gets at least the third. */
const [BATCH, SHARED_BATCH, SHARE_MIN] = [500, 2_000, 8];

/** Within its profile. */
const nameOf = ({ accountName, serviceName }: Readonly<Record<'accountName' | 'serviceName', string>>) =>
  `${accountName} ${serviceName}`;

/** What workers read of their lanes. Those of one profile that ask at once share a statement. */
export interface LaneReads {
  /** The next due messages after this one. */
  listDue(lane: LeasedLane, after: Place | undefined): Promise<DueOfLane>;
  /** Undefined where nothing may be sent now: it is paused or gone, or the lane is another's. */
  findListener(lane: LeasedLane): Promise<OpenListener | undefined>;
}

export function createLaneReads(ctx: Ctx): LaneReads {
  const listDue = gatherByProfile(
    (ecpdId, asked: readonly { readonly lane: LeasedLane; readonly after: Place | undefined }[]) => {
      const limit = Math.min(BATCH, Math.max(SHARE_MIN, Math.floor(SHARED_BATCH / asked.length)));
      return listDueMessages(ctx.db, ecpdId, asked, { now: ctx.now(), limit });
    },
  );
  const findListener = gatherByProfile(async (ecpdId, asked: readonly { readonly lane: LeasedLane }[]) => {
    const lanes = asked.map(({ lane }) => lane);
    const rows = await listOpenListeners(ctx.db, ecpdId, lanes);
    const byName = new Map(rows.map((row) => [nameOf(row), row]));
    return lanes.map((lane) => byName.get(nameOf(lane)));
  });
  return {
    listDue: (lane, after) => listDue(lane.ecpdId, { lane, after }),
    findListener: (lane) => findListener(lane.ecpdId, { lane }),
  };
}
