import { COLD_CHAIN, PRIMARY, WATER } from './accounts.ts';
import { daysBefore, type Generator, idOf, seeded } from './generator.ts';
import { deveuiOf, macOf } from './identifiers.ts';
import { type Line, lineOf, type Numbering, type Series } from './lines.ts';
import { GATEWAY, SENSORS } from './models.ts';
import { ATLANTA, CHICAGO, DALLAS, FRESNO } from './places.ts';
import { PLAN } from './plans.ts';

interface Site extends Series {
  readonly sensorsEach: number;
  readonly radio: keyof typeof SENSORS;
  readonly sensorName: string;
}

const WAREHOUSES: Site = {
  name: 'Warehouse gateway',
  accountName: PRIMARY,
  kind: 'gateway',
  count: 4,
  model: GATEWAY,
  places: [DALLAS, CHICAGO],
  plans: [PLAN.share2Gb],
  description: 'Gateway of a warehouse hall',
  services: ['sensors'],
  sensorsEach: 5,
  radio: 'ble',
  sensorName: 'door',
};
const COLD_ROOMS: Site = {
  ...WAREHOUSES,
  name: 'Cold room gateway',
  accountName: COLD_CHAIN,
  count: 3,
  places: [ATLANTA],
  description: 'Gateway of a cold room',
  sensorsEach: 6,
  sensorName: 'shelf',
};
const RESERVOIR: Site = {
  ...WAREHOUSES,
  name: 'Reservoir gateway',
  accountName: WATER,
  count: 1,
  places: [FRESNO],
  plans: [PLAN.payg50Mb],
  description: 'Gateway of a reservoir',
  sensorsEach: 3,
  radio: 'lora',
  sensorName: 'level probe',
};

export interface Sensor {
  readonly accountName: string;
  readonly kind: 'sensor';
  readonly mac?: string;
  readonly deveui?: string;
  readonly state: 'active';
  readonly record: {
    readonly id: string;
    readonly name: string;
    readonly parentdeviceid: string;
  } & Readonly<Record<string, unknown>>;
}

function sensorOf(
  site: Site,
  gateway: Line,
  n: number,
  now: Date,
  generator: Generator,
  piece: number,
): Sensor {
  const name = `${gateway.record.name} ${site.sensorName} ${n + 1}`;
  return {
    accountName: site.accountName,
    kind: 'sensor',
    ...(site.radio === 'ble' ? { mac: macOf(piece) } : { deveui: deveuiOf(piece) }),
    state: 'active',
    record: {
      id: idOf(`device ${name}`),
      name,
      ...SENSORS[site.radio],
      parentdeviceid: gateway.record.id,
      serial: `${SENSORS[site.radio].sku}-${generator.digits(8)}`,
      fields: { radio: site.radio, reportSeconds: site.radio === 'ble' ? 60 : 900 },
      createdon: daysBefore(now, generator.between(20, 300)),
    },
  };
}

/** Each gateway, followed by its sensors. */
export function gatewaysAndSensors(now: Date, numbers: Numbering): readonly (Line | Sensor)[] {
  return [WAREHOUSES, COLD_ROOMS, RESERVOIR].flatMap((site) => {
    const generator = seeded(site.name);
    return Array.from({ length: site.count }, (_, n) => {
      const gateway = { ...lineOf(site, n, now, generator, numbers), mac: macOf(numbers.piece()) };
      const sensors = Array.from({ length: site.sensorsEach }, (_, place) =>
        sensorOf(site, gateway, place, now, generator, numbers.piece()),
      );
      return [gateway, ...sensors];
    }).flat();
  });
}
