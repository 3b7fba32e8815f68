import { writeAudit } from '../../platform/context/audit.ts';
import { type Ctx, inTx, type Tenant } from '../../platform/context/context.ts';
import { refuse } from '../../platform/context/fault.ts';
import { ANSWER_MAX_CHARS } from '../device-management/index.ts';
import { smartAlertFaults } from './errors.ts';
import { lockAlerts, measureAlerts, type SmartAlert, setAcknowledged } from './sql-alert.ts';

interface Acknowledgement {
  readonly alertIds: readonly string[];
  /** False takes the acknowledgement back. */
  readonly acknowledged: boolean;
  readonly by: string;
  /** The version that the caller has read, from every place that can carry it. */
  readonly versionIds?: readonly (string | undefined)[];
}

/** All or none. An alert already in the requested state is not written: version and first acknowledger stay. */
export const acknowledgeAlerts = (
  outer: Ctx,
  tenant: Tenant,
  { alertIds, acknowledged, by, versionIds = [] }: Acknowledgement,
): Promise<readonly SmartAlert[]> =>
  inTx(outer, async (ctx) => {
    const ids = [...new Set(alertIds.map((id) => id.toLowerCase()))];
    if ((await measureAlerts(ctx.db, tenant, ids)) > ANSWER_MAX_CHARS)
      return refuse(smartAlertFaults.answerTooLarge, { cause: 'ids' });
    const held = new Map((await lockAlerts(ctx.db, tenant, ids)).map((alert) => [alert.alertId, alert]));
    const unknown = ids.find((id) => !held.has(id));
    if (unknown !== undefined) return refuse(smartAlertFaults.notFound, { reason: unknown, cause: 'id' });
    const stale = [...held.values()].find((alert) =>
      versionIds.some((seen) => seen !== undefined && seen.toLowerCase() !== alert.versionId),
    );
    if (stale !== undefined)
      return refuse(smartAlertFaults.stale, {
        reason: `its versionid is ${stale.versionId}`,
        cause: 'versionid',
      });
    const others = ids.filter((id) => (held.get(id)!.acknowledgedAt !== null) !== acknowledged);
    if (others.length === 0) return ids.map((id) => held.get(id)!);
    const changed = await setAcknowledged(ctx.db, tenant, others, {
      by: acknowledged ? by : null,
      at: ctx.now(),
    });
    const records = new Map(changed.map((alert) => [alert.alertId, alert]));
    await writeAudit(ctx, {
      action: 'acknowledgeSmartAlerts',
      target: others.length === 1 ? others[0] : `${others.length} smart alerts`,
      ...tenant,
      before: { acknowledged: !acknowledged, ids: others },
      after: { acknowledged, ids: others },
    });
    return ids.map((id) => records.get(id) ?? held.get(id)!);
  });
