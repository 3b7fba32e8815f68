import { type Caller, LinekeeperError, type OperatorRoute } from '../sdk/index.ts';
import { inParallel } from './in-parallel.ts';
import type { Place } from './life/device.ts';
import { profileOf } from './life/profile.ts';
import { type DeviceState, stateOf } from './life/state.ts';
import type { Driven } from './roster.ts';

const AT_A_TIME = 8;
/** A vehicle on its way is told to the network when it has come this far: each telling is a call. */
const MOVED_KM = 10;
const PARKED_KM = 0.1;
const KM_PER_DEGREE = 111.32;

const apartKm = (a: Place, b: Place): number =>
  KM_PER_DEGREE * Math.hypot(a.lat - b.lat, (a.lon - b.lon) * Math.cos((a.lat * Math.PI) / 180));

/** Whom the simulated network finds, and where. */
export function createPresence(operator: Caller<OperatorRoute>, offline: Set<string>) {
  const told = new Map<string, Place>();

  const hasMoved = ({ id, known }: Driven, { position, activity }: DeviceState): boolean => {
    const before = told.get(id) ?? known;
    return (
      before === undefined || apartKm(before, position) > (activity === 'driving' ? MOVED_KM : PARKED_KM)
    );
  };

  async function tell({ kind, id }: Driven, { online, position }: DeviceState): Promise<void> {
    try {
      await operator.call('PATCH /operator/v1/devices/{kind}/{id}/simulation', {
        path: { kind, id },
        body: { online, position },
      });
    } catch (error) {
      // Deleted since the roster was read.
      if (!(error instanceof LinekeeperError && error.status === 404)) throw error;
    }
    told.set(id, position);
    if (online) offline.delete(id);
    else offline.add(id);
  }

  return {
    /** While the clock runs through a stretch only coverage is told: where somebody passed by nobody will ask. */
    async follow(devices: readonly Driven[], seed: string, at: Date, passing: boolean): Promise<void> {
      const changed = devices
        .filter(({ kind }) => kind === 'imei')
        .map((device) => ({ device, state: stateOf(device, seed, at) }))
        .filter(
          ({ device, state }) =>
            state.online === offline.has(device.id) ||
            (!passing && state.online && profileOf(device.profile).travels && hasMoved(device, state)),
        );
      await inParallel(changed, AT_A_TIME, ({ device, state }) => tell(device, state));
    },
  };
}
