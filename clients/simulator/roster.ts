import { type Answer, type Caller, list, type OperatorRoute } from '../sdk/index.ts';
import { inParallel } from './in-parallel.ts';
import { chance } from './life/chance.ts';
import { type Device, DRAW, type Place, rootOf } from './life/device.ts';
import { type ProfileName, profileOf } from './life/profile.ts';

type Listed = Answer<'GET /operator/v1/accounts/{accountName}/devices'>[number];

/** The profile for the start of an IMEI. Other devices belong to users and are not simulated. */
const BY_TYPE_CODE: Readonly<Record<string, ProfileName>> = {
  99710011: 'tracker',
  99710012: 'tracker',
  '00710021': 'meter',
  99710022: 'meter',
  99710031: 'dashCamera',
  99710032: 'camera',
  99710041: 'fixedWireless',
  99710042: 'fixedWireless',
  99710061: 'gateway',
};
const BY_SKU: Readonly<Record<string, ProfileName>> = { 'QW-FT': 'climateSensor', 'QW-SP': 'levelSensor' };

/** Start of journeys, because a device's last position would change with every read. */
const SITES: Readonly<Record<string, Place>> = {
  Dallas: { lat: 32.78, lon: -96.8 },
  Chicago: { lat: 41.85, lon: -87.68 },
  Atlanta: { lat: 33.75, lon: -84.39 },
  Denver: { lat: 39.74, lon: -104.99 },
  Fresno: { lat: 36.74, lon: -119.78 },
  Phoenix: { lat: 33.45, lon: -112.07 },
};
const SOMEWHERE: Place = { lat: 39, lon: -98 };
const AROUND_DEGREES = 0.15;

/** A simulated device, and whether a user has switched it off; then it sends nothing. */
export interface Driven extends Device {
  readonly silenced: boolean;
  /** Its position in the simulated network. */
  readonly known: Place | undefined;
}

function idOf({ imei, mac, deveui, kind }: Listed): Pick<Device, 'kind' | 'id'> | undefined {
  if (kind !== 'sensor') return imei === null ? undefined : { kind: 'imei', id: imei };
  if (mac !== null) return { kind: 'mac', id: mac };
  return deveui === null ? undefined : { kind: 'deveui', id: deveui };
}

function homeOf({ labels, simulation }: Listed, id: string, travels: boolean): Place {
  const { position } = simulation as { position?: Place };
  if (!travels && position !== undefined) return { lat: position.lat, lon: position.lon };
  const { lat, lon } = SITES[labels.find(({ name }) => name === 'Site')?.value ?? ''] ?? SOMEWHERE;
  const root = rootOf({ id }, 'home');
  const aside = (what: number) => AROUND_DEGREES * (2 * chance(root, what, 0) - 1);
  return { lat: lat + aside(DRAW.homeLat), lon: lon + aside(DRAW.homeLon) };
}

export function drivenOf(listed: Listed): Driven | undefined {
  const { state, imei, record, simulation } = listed;
  const { sku = '', name = '' } = record as { sku?: string; name?: string };
  const profile = BY_TYPE_CODE[imei?.slice(0, 8) ?? ''] ?? BY_SKU[sku];
  const named = idOf(listed);
  if (state !== 'active' || profile === undefined || named === undefined) return undefined;
  const { online = true, position } = simulation as { online?: boolean; position?: Place };
  return {
    ...named,
    profile,
    home: homeOf(listed, named.id, profileOf(profile).travels),
    cold: /cold|freez/i.test(name),
    unwatched: !listed.hasRules,
    silenced: !online,
    known: position,
  };
}

type Operator = Caller<OperatorRoute>;

async function readAccount(operator: Operator, accountName: string): Promise<Driven[]> {
  const found: Driven[] = [];
  for await (const listed of list(operator, 'GET /operator/v1/accounts/{accountName}/devices', {
    path: { accountName },
    query: { limit: 1_000, state: 'active' },
  })) {
    const driven = drivenOf(listed);
    if (driven !== undefined) found.push(driven);
  }
  return found;
}

/** All simulated devices of the fleet, read page by page in the order of the accounts. */
export async function readRoster(operator: Operator, atATime = 1): Promise<Driven[]> {
  const names: string[] = [];
  for await (const { accountName } of list(operator, 'GET /operator/v1/accounts', {
    query: { limit: 1_000 },
  }))
    names.push(accountName);
  const byAccount = new Map<string, readonly Driven[]>();
  await inParallel(
    names,
    atATime,
    async (name) => void byAccount.set(name, await readAccount(operator, name)),
  );
  return names.flatMap((name) => byAccount.get(name) ?? []);
}
