import { refuse } from '../../../platform/context/fault.ts';
import { recordFaults } from '../errors.ts';
import type { RecordKind } from './fields.ts';

/** What can be answered inside of a record: the gateway of a sensor, the sensors of a gateway. */
export type Expansion = 'parentdevice' | 'sensors';

const NAMES: Readonly<Record<string, Expansion>> = {
  parent: 'parentdevice',
  parentdevice: 'parentdevice',
  parentdeviceid: 'parentdevice',
  gateway: 'parentdevice',
  sensors: 'sensors',
  sensor: 'sensors',
  childsensors: 'sensors',
  children: 'sensors',
};

/** Users and rules are parts of no other record. */
const NOT_DEVICES: readonly RecordKind[] = ['user', 'rule'];

export const readExpand = (kind: RecordKind, text = ''): ReadonlySet<Expansion> =>
  new Set(
    text
      .split(',')
      .map((name) => name.trim().toLowerCase())
      .filter((name) => name !== '')
      .map((name) => {
        const known = Object.hasOwn(NAMES, name) && !NOT_DEVICES.includes(kind) ? NAMES[name] : undefined;
        return known ?? refuse(recordFaults.badExpand, { reason: name, cause: 'filter.$expand' });
      }),
  );
