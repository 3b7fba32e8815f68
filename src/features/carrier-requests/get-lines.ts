import type { Ctx, Tenant } from '../../platform/context/context.ts';
import { refuse } from '../../platform/context/fault.ts';
import { keptSince } from '../../platform/flow-control/open-requests.ts';
import { listOutcomes } from '../callbacks/index.ts';
import { listUnfollowedOf } from '../network/index.ts';
import { carrierFaults } from './errors.ts';
import { listLines } from './sql-device.ts';
import { findRequest } from './sql-request.ts';

/** The progress of a request, and a page of its lines, each with the state of its callback. */
export async function getLines(
  { db, now }: Ctx,
  tenant: Tenant,
  requestId: string,
  asked: Parameters<typeof listLines>[3],
) {
  const request =
    (await findRequest(db, tenant, { requestId, endedAfter: keptSince(now()) })) ??
    refuse(carrierFaults.requestNotFound);
  const lines = await listLines(db, tenant, request, asked);
  const ids = lines.flatMap((line) => line.ids.map(({ id }) => id));
  const outcomes = await listOutcomes(db, tenant, [request.requestId], ids);
  const byId = new Map(
    outcomes.toReversed().flatMap((outcome) => outcome.ids.map((id) => [id, outcome] as const)),
  );
  const deviceIds = lines.flatMap(({ deviceId }) => deviceId ?? []);
  const unfollowed = Map.groupBy(
    await listUnfollowedOf(db, tenant.ecpdId, request.requestId, deviceIds),
    ({ deviceId }) => deviceId,
  );
  const last = lines.at(-1);
  const { operation, status, deviceCount, succeeded, failed } = request;
  return {
    ...{ operation, status, requested: deviceCount, succeeded, failed },
    lines: lines.map((line) => {
      const left = unfollowed.get(line.deviceId ?? '');
      const callback = line.ids.map(({ id }) => byId.get(id)).find((outcome) => outcome !== undefined);
      return {
        ...line,
        ids: [...line.ids],
        ...(callback && { callback: { messageId: callback.messageId, state: callback.state } }),
        ...(left && { unfollowed: left.map(({ element, state, reason }) => ({ element, state, reason })) }),
      };
    }),
    ...(last && lines.length === asked.limit && { next: last.nth }),
  };
}
