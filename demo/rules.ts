import { COLD_CHAIN, WATER } from './accounts.ts';
import { idOf } from './generator.ts';
import type { Line } from './lines.ts';
import type { Sensor } from './sensors.ts';

/** Smart alert rules: two in dialects that the service evaluates, and one in a dialect that it only stores. */
export function rules(fleet: readonly (Line | Sensor)[]) {
  const named = (name: string) => fleet.find(({ record }) => record.name === name)!;
  const imeiOf = (name: string) => (named(name) as Line).imei;
  return [
    {
      accountName: COLD_CHAIN,
      deviceid: named('Cold room gateway 101 shelf 1').record.id,
      id: idOf('rule shelf too warm'),
      name: 'Shelf too warm',
      description: 'Above the limit of the cold chain with the door closed',
      disabled: false,
      rulesyntax: 'json',
      rulechain: {
        all: [
          { field: 'temperature', operator: 'gt', value: 5 },
          { field: 'doorOpen', operator: 'eq', value: false },
        ],
      },
    },
    {
      accountName: COLD_CHAIN,
      deviceImei: imeiOf('Cold room gateway 101'),
      id: idOf('rule gateway on battery'),
      name: 'Gateway on battery',
      description: 'Mains lost, or the battery below a fifth',
      disabled: false,
      rulesyntax: 'json',
      rulechain: { or: [{ '==': [{ var: 'mains' }, false] }, { '<': [{ var: 'batteryPercent' }, 20] }] },
    },
    {
      accountName: WATER,
      deviceImei: imeiOf('Reservoir gateway 101'),
      id: idOf('rule reservoir low'),
      name: 'Reservoir low',
      description: 'Written for another rule engine; kept and returned as it is',
      disabled: false,
      rulesyntax: 'camel',
      rulechain: {
        from: 'sensor:level',
        filter: { simple: '$body[level] < 1.2' },
        to: 'alert:metering-desk',
      },
    },
  ];
}
