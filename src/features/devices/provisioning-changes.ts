import { toDeviceRefs } from '../../kernel/device-id.ts';
import type { Ctx } from '../../platform/context/context.ts';
import {
  type ListenerService,
  type ProvisioningChange,
  provisioningChanged,
} from '../callback-payloads/index.ts';
import { postCallbacks } from '../callbacks/index.ts';
import type { DeviceState } from './device.ts';
import { listProvisioned, listStagedChanges, type ProvisionedChange } from './sql-changes.ts';

const SERVICE: ListenerService = 'ExternalProvisioningChanges';
const PAGE = 1_000;

/** The name of a change of state. There is none for a return to the state before the activation. */
function stateChange(from: DeviceState, to: DeviceState): ProvisioningChange | undefined {
  if (from === to || to === 'pre-active') return undefined;
  if (to === 'active') return from === 'suspend' ? 'Resume' : 'Activate';
  return to === 'suspend' ? 'Suspend' : 'Deactivate';
}

/** Posts one message for each device and change, in the transaction that made it. It shows the device after the change. */
async function post(
  ctx: Ctx,
  ecpdId: string,
  requestId: string,
  page: readonly ProvisionedChange[],
): Promise<void> {
  const ids = page.map(({ deviceId }) => deviceId);
  const devices = new Map((await listProvisioned(ctx.db, ecpdId, ids)).map((row) => [row.deviceId, row]));
  const callbacks = page.flatMap(({ accountName, deviceId, oldState, newState, changes = [] }) => {
    const device = devices.get(deviceId);
    if (device === undefined) return [];
    const { servicePlan, state } = device;
    const carrierInformation = { carrierName: 'Linekeeper', servicePlan: servicePlan ?? '', state };
    const changed = stateChange(oldState, newState);
    return [...(changed === undefined ? [] : [changed]), ...changes].map((change) => ({
      accountName,
      serviceName: SERVICE,
      requestId,
      payload: provisioningChanged(
        { requestId, deviceIds: toDeviceRefs(device) },
        { source: 'Operator', change, accountName, carrierInformation },
      ),
    }));
  });
  for (let n = 0; n < callbacks.length; n += PAGE)
    await postCallbacks(ctx, ecpdId, callbacks.slice(n, n + PAGE));
}

/** Reports changes that the operator made to a few devices. */
export const postProvisioningChanges = (
  ctx: Ctx,
  ecpdId: string,
  changes: readonly ProvisionedChange[],
): Promise<void> => post(ctx, ecpdId, ctx.newId(), changes);

/** Posts an import's changes to a profile, page by page. */
export async function postImported(ctx: Ctx, ecpdId: string): Promise<void> {
  const requestId = ctx.newId();
  for (let after: string | undefined; ; ) {
    const page = await listStagedChanges(ctx.db, ecpdId, { after, limit: PAGE });
    if (page.length > 0) await post(ctx, ecpdId, requestId, page);
    if (page.length < PAGE) return;
    after = page.at(-1)?.deviceId;
  }
}
