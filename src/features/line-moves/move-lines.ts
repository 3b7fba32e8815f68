import { denyLocations, keepExclusions, listDenied } from '../consents/index.ts';
import { moveOpenSuspensions } from '../device-lifecycle/index.ts';
import { moveRules } from '../device-management/index.ts';
import { type MoveLines, moveDevices } from '../devices/index.ts';
import { failAwaited } from '../location-reports/index.ts';
import { deletePositions, NO_LINE } from '../locations/index.ts';
import { moveLicenses } from '../sim-secure/index.ts';
import { type CountAlerts, leaveAccount } from '../smart-alerts/index.ts';
import { noteLeft } from '../usage/index.ts';

/** Moves lines inside their profile: what each feature keeps of them goes along, stays, or ends. */
export const lineMover =
  (countAlerts: CountAlerts): MoveLines =>
  async (tx, move) => {
    const { from, to, deviceIds } = move;
    if (deviceIds.length === 0) return;
    const { db } = tx;
    const { ecpdId } = from;
    const now = tx.now();
    await noteLeft(db, from, deviceIds, now);
    const denied = await listDenied(tx, from, deviceIds);
    await keepExclusions(tx, from, deviceIds);
    await moveLicenses(db, move);
    await deletePositions(db, ecpdId, deviceIds);
    await failAwaited(db, from, deviceIds, { failure: NO_LINE, at: now });
    const ruleIds = await moveRules(tx, move);
    await leaveAccount(tx, ecpdId, { deviceIds, ruleIds }, countAlerts);
    await moveDevices(tx, move);
    await denyLocations(tx, to, denied);
    await moveOpenSuspensions(tx, move);
  };
