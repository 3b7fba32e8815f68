import type { Caller, OperatorRoute } from '../sdk/index.ts';
import type { Place } from './life/device.ts';
import { profileOf } from './life/profile.ts';
import { type DeviceState, stateOf } from './life/state.ts';
import type { Driven } from './roster.ts';

/** Distance after which a moving vehicle's position is reported to the network. */
const MOVED_KM = 10;
const PARKED_KM = 0.1;
const KM_PER_DEGREE = 111.32;
/** The limit of one call. */
const DEVICES_PER_CALL = 1_000;

const apartKm = (a: Place, b: Place): number =>
  KM_PER_DEGREE * Math.hypot(a.lat - b.lat, (a.lon - b.lon) * Math.cos((a.lat * Math.PI) / 180));

interface Changed {
  readonly device: Driven;
  readonly state: DeviceState;
}

/** Reports reachability and positions of devices to the simulated network. */
export function createPresence(operator: Caller<OperatorRoute>, offline: Set<string>) {
  const told = new Map<string, Place>();

  const hasMoved = ({ id, known }: Driven, { position, activity }: DeviceState): boolean => {
    const before = told.get(id) ?? known;
    return (
      before === undefined || apartKm(before, position) > (activity === 'driving' ? MOVED_KM : PARKED_KM)
    );
  };

  async function tell(changed: readonly Changed[]): Promise<void> {
    const body = changed.map(({ device: { kind, id }, state: { online, position } }) => ({
      ...{ kind, id, online, position },
    }));
    // The answer names devices deleted since the roster was read; they are ignored.
    await operator.call('PATCH /operator/v1/devices/simulation', { body });
    for (const { id, position, online } of body) {
      told.set(id, position);
      if (online) offline.delete(id);
      else offline.add(id);
    }
  }

  return {
    /** During a move of the clock, only coverage is reported, because positions on the way are never requested. */
    async follow(devices: readonly Driven[], seed: string, at: Date, passing: boolean): Promise<void> {
      const changed = devices
        .filter(({ kind }) => kind === 'imei')
        .map((device) => ({ device, state: stateOf(device, seed, at) }))
        .filter(
          ({ device, state }) =>
            state.online === offline.has(device.id) ||
            (!passing && state.online && profileOf(device.profile).travels && hasMoved(device, state)),
        );
      for (let at = 0; at < changed.length; at += DEVICES_PER_CALL)
        await tell(changed.slice(at, at + DEVICES_PER_CALL));
    },
  };
}
