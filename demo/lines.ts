import { daysBefore, type Generator, idOf } from './generator.ts';
import { eidOf, iccidOf, imeiOf, imsiOf, mdnOf } from './identifiers.ts';
import type { Model } from './models.ts';
import { type Place, positionAround } from './places.ts';

/** A series of similar devices of an account. */
export interface Series {
  readonly name: string;
  readonly accountName: string;
  readonly kind?: 'device' | 'gateway';
  readonly count: number;
  readonly model: Model;
  readonly places: readonly Place[];
  readonly plans: readonly string[];
  readonly description: string;
  readonly services: readonly string[];
}

/** Counters that give each number out once while the fleet is built. */
export interface Numbering {
  piece(): number;
  line(areaCode: string): number;
}

export function numbering(): Numbering {
  const lines = new Map<string, number>();
  let pieces = 0;
  return {
    piece: () => ++pieces,
    line: (areaCode) => {
      const line = lines.get(areaCode) ?? 0;
      lines.set(areaCode, line + 1);
      return line;
    },
  };
}

/** Of twenty devices, one is suspended, one is pre-active and one is deactivated. */
const stateOf = (n: number) => ({ 7: 'suspend', 13: 'pre-active', 18: 'deactive' })[n % 20] ?? 'active';

const ERRORS = [
  'POSITION METHOD FAILURE',
  'SVC DEVICE LOCATION DATA UNAVAILABLE',
  'CONGESTION IN MOBILE NETWORK',
  'TIMEOUT',
];

/** Of twenty devices, one is switched off, one answers slowly and one cannot be located. */
function simulationOf(n: number, place: Place, generator: Generator) {
  const position = positionAround(place, generator);
  const turn = n % 20;
  if (turn === 4) return { online: false, position };
  if (turn === 9) return { online: true, position, delayMs: generator.between(2_000, 8_000) };
  if (turn === 16) return { online: true, position, error: generator.pick(ERRORS) };
  return { online: true, position };
}

export interface Line {
  readonly accountName: string;
  readonly kind: 'device' | 'gateway';
  readonly imei: string;
  readonly iccid: string;
  readonly imsi: string;
  readonly mdn?: string;
  readonly msisdn?: string;
  readonly eid?: string;
  readonly mac?: string;
  readonly state: string;
  readonly servicePlan?: string;
  readonly planSince?: string;
  readonly iot?: boolean;
  readonly activatedBySku?: boolean;
  readonly otaUpdated?: boolean;
  readonly labels: readonly { readonly name: string; readonly value: string }[];
  readonly record: { readonly id: string; readonly name: string } & Readonly<Record<string, unknown>>;
  readonly simulation: {
    readonly online: boolean;
    readonly position: object;
    readonly delayMs?: number;
    readonly error?: string;
  };
}

/** The n-th device of a series, with a SIM. Only devices in service have a number and a plan. */
export function lineOf(series: Series, n: number, now: Date, generator: Generator, numbers: Numbering): Line {
  const { accountName, model, kind = 'device' } = series;
  const place = series.places[n % series.places.length]!;
  const state = stateOf(n);
  const piece = numbers.piece();
  const name = `${series.name} ${101 + n}`;
  const agedDays = generator.between(20, 320);
  const mdn =
    state === 'active' || state === 'suspend' ? mdnOf(place.areaCode, numbers.line(place.areaCode)) : '';
  return {
    accountName,
    kind,
    imei: imeiOf(model.typeCode, piece),
    iccid: iccidOf(piece),
    imsi: imsiOf(piece),
    ...(mdn !== '' && {
      mdn,
      msisdn: `1${mdn}`,
      servicePlan: series.plans[n % series.plans.length]!,
      planSince: daysBefore(now, agedDays),
    }),
    ...(n % 3 === 0 && { eid: eidOf(piece) }),
    state,
    labels: [{ name: 'Site', value: place.name }],
    record: {
      id: idOf(`device ${name}`),
      name,
      description: `${series.description}, ${place.name}`,
      manufacturer: model.manufacturer,
      productmodel: model.productmodel,
      chipset: model.chipset,
      hardwareversion: model.hardwareversion,
      softwareversion: generator.pick(model.softwareversions),
      sku: model.sku,
      serial: `${model.sku}-${generator.digits(8)}`,
      qrcode: generator.digits(12),
      providerid: 'Linekeeper sandbox',
      services: series.services,
      createdon: daysBefore(now, agedDays + generator.between(1, 40)),
    },
    simulation: simulationOf(n, place, generator),
  };
}
