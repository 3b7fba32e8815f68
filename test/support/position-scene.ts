import assert from 'node:assert/strict';
import { openEchoListener } from './echo-listener.ts';
import { asUser, CLIENT } from './fleet.ts';
import { makeWorld, type World } from './world.ts';

/** What becomes of a line after its first account located it; a later owner locates it too. */
export const FATES = [
  'stays',
  'is deleted',
  'is erased',
  'moves inside',
  'moves inside and is deleted',
  'moves inside and is erased',
  'moves inside and away',
  'moves inside and returns',
  'moves away',
  'moves away and is deleted',
  'moves away and is erased',
  'moves away and returns',
  'moves to an account that is deleted',
] as const;
export const CONSENTS = [
  'allowed',
  'excluded',
  'denied',
  'denied later',
  'denied later and allowed again',
] as const;
export type Fate = (typeof FATES)[number];
export type Consent = (typeof CONSENTS)[number];

/** One line for each fate and consent. Its positions are recognised by their longitude, also in coarse form. */
export const LINES = FATES.flatMap((fate) => CONSENTS.map((consent) => ({ fate, consent }))).map(
  (line, n) => ({
    ...line,
    imei: `9900000000${String(n).padStart(5, '0')}`,
    mdn: `555030${String(n).padStart(4, '0')}`,
    /** While its first account has it, and then. */
    first: { lat: 40, lon: -(100 + n + 0.56) },
    later: { lat: 40, lon: -(100 + n + 0.78) },
  }),
);
export type Line = (typeof LINES)[number];
export const isAt = (text: string, { lon }: { lon: number }): boolean => text.includes(lon.toFixed(2));

/** The first account, two of its customer and one of another. */
export const [FIRST, BESIDE, DOOMED, AWAY] = [
  '0000777777-00001',
  '0000777777-00002',
  '0000777777-00003',
  '0000888888-00001',
] as const;
export type Name = typeof FIRST | typeof BESIDE | typeof DOOMED | typeof AWAY;
const NAMES = [FIRST, BESIDE, DOOMED, AWAY];

export const laterOwnerOf = (fate: Fate): Name | undefined => {
  if (fate.startsWith('moves inside')) return BESIDE;
  if (fate.startsWith('moves away')) return AWAY;
  return fate === 'moves to an account that is deleted' ? DOOMED : undefined;
};
const named = (lines: readonly Line[]) => lines.map(({ imei }) => ({ id: imei, kind: 'IMEI' }));
const inParts = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, n) => all.slice(n * size, (n + 1) * size));

const fleet = {
  profiles: [{ ecpdId: '7000001' }, { ecpdId: '8000001' }],
  accounts: NAMES.map((accountName) => ({
    accountName,
    ecpdId: accountName === AWAY ? '8000001' : '7000001',
    locationRegistered: true,
  })),
  consents: NAMES.map((accountName) => ({ accountName, level: 0 })),
  clients: [CLIENT],
  users: NAMES.map((username) => ({ username, password: 'a-good-password', accounts: [username] })),
  plans: [{ code: 'P-5MB', kind: 'payAsYouGo', allowanceBytes: 5_242_880 }],
  devices: LINES.map(({ imei, mdn, first }) => ({
    ...{ accountName: FIRST, imei, mdn, servicePlan: 'P-5MB', simulation: { position: first } },
  })),
};

async function locate(scene: Scene, name: Name, lines: readonly Line[]): Promise<void> {
  const call = await scene.caller(name);
  const asked = { accountName: name, accuracyMode: '1', cacheMode: '2' };
  for (const some of inParts(lines, 20))
    await call('POST', '/loc/v1/locations', { ...asked, deviceList: named(some) });
  for (const what of ['locationreports', 'devicelocations']) {
    const answer = await call('POST', `/loc/v1/${what}`, { ...asked, deviceList: named(lines) });
    assert.equal(answer.statusCode, 200, answer.body);
    scene.requests.push({ name, what, txid: answer.json().txid });
  }
  await scene.world.engine.settle();
  await scene.world.delivery.settle();
}

/** Sets the levels of single lines. */
async function setLevels(scene: Scene, name: Name, lines: readonly Line[], consent: number): Promise<void> {
  if (lines.length === 0) return;
  const deviceList = named(lines).map((device) => ({ ...device, consent }));
  const body = { accountName: name, deviceList };
  const answer = await (await scene.caller(name))('POST', '/loc/v1/devicelocations/action/consents', body);
  assert.ok(answer.statusCode < 300, answer.body);
}

async function denyFirst(scene: Scene): Promise<void> {
  const having = (consent: Consent) => LINES.filter((line) => line.consent === consent);
  const exclusion = having('excluded').map(({ imei }) => imei);
  const body = { accountName: FIRST, type: 'append', exclusion };
  const answer = await (await scene.caller(FIRST))('POST', '/loc/v1/consents', body);
  assert.equal(answer.statusCode, 200, answer.body);
  await setLevels(scene, FIRST, having('denied'), 3);
}

async function move({ operate }: Scene, { imei }: Line, accountName: Name, isAway: boolean): Promise<void> {
  if (isAway) await operate('POST', `/devices/imei/${imei}/state`, { state: 'deactive' });
  await operate('POST', `/devices/imei/${imei}/move`, { accountName });
  if (isAway) await operate('POST', `/devices/imei/${imei}/state`, { state: 'active' });
}

async function moveAll(scene: Scene): Promise<void> {
  for (const line of LINES) {
    const owner = laterOwnerOf(line.fate);
    if (owner === undefined) continue;
    await move(scene, line, owner, owner === AWAY);
    await scene.operate('PATCH', `/devices/imei/${line.imei}/simulation`, { position: line.later });
  }
  for (const name of [BESIDE, DOOMED, AWAY] as const)
    await locate(
      scene,
      name,
      LINES.filter(({ fate }) => laterOwnerOf(fate) === name),
    );
}

async function denyLater(scene: Scene): Promise<void> {
  for (const name of NAMES) {
    const its = LINES.filter(({ fate }) => (laterOwnerOf(fate) ?? FIRST) === name);
    const again = its.filter(({ consent }) => consent === 'denied later and allowed again');
    await setLevels(scene, name, [...its.filter(({ consent }) => consent === 'denied later'), ...again], 3);
    await setLevels(scene, name, again, 0);
  }
}

async function finish(scene: Scene): Promise<void> {
  const { operate, world } = scene;
  const ofFate = (end: string) => LINES.filter(({ fate }) => fate.endsWith(end));
  for (const name of [FIRST, BESIDE, AWAY] as const) {
    const devices = ofFate('is deleted')
      .filter(({ fate }) => fate !== 'moves to an account that is deleted')
      .filter(({ fate }) => (laterOwnerOf(fate) ?? FIRST) === name)
      .map(({ imei }) => ({ deviceIds: [{ kind: 'imei', id: imei }] }));
    const body = { accountName: name, devices, reasonCode: 'FF', deleteAfterDeactivation: true };
    const answer = await (await scene.caller(name))('POST', '/m2m/v1/devices/actions/deactivate', body);
    assert.equal(answer.statusCode, 200, answer.body);
  }
  await world.engine.settle();
  for (const { imei } of ofFate('is erased')) await operate('DELETE', `/devices/imei/${imei}/positions`);
  for (const line of LINES) {
    if (line.fate === 'moves inside and away') await move(scene, line, AWAY, true);
    if (line.fate === 'moves inside and returns') await move(scene, line, FIRST, false);
    if (line.fate === 'moves away and returns') await move(scene, line, FIRST, true);
  }
  await operate('DELETE', `/accounts/${DOOMED}`);
  // What the operator tells the simulated network is no position that anybody has obtained.
  for (const { imei } of (await operate('GET', '/export')).json().devices)
    await operate('PATCH', `/devices/imei/${imei}/simulation`, { position: null });
}

interface Scene {
  readonly world: World;
  readonly requests: { name: Name; what: string; txid: string }[];
  readonly heard: { path: string; text: string }[];
  /** A session of the account's user, because sessions end with time. */
  caller(name: Name): Promise<Awaited<ReturnType<typeof asUser>>['call']>;
  operate(method: string, path: string, body?: object): Promise<Awaited<ReturnType<World['operator']>>>;
}

/** Lines with every fate and consent, located by each of their owners. Every callback has failed once. */
export async function makePositionScene(): Promise<Scene> {
  const { heard, url } = await openEchoListener();
  const world = await makeWorld({ env: { LINEKEEPER_LOGIN_RATE: '0' } });
  const scene: Scene = {
    ...{ world, heard, requests: [] },
    caller: async (username) => (await asUser(world, { username, password: 'a-good-password' })).call,
    async operate(method, path, body) {
      const answer = await world.operator(method, path, body);
      assert.ok(answer.statusCode < 300, `${method} ${path}: ${answer.body}`);
      return answer;
    },
  };
  await world.import(fleet);
  for (const name of NAMES) {
    const listener = { name: 'DeviceLocation', url: `${url}/${name}` };
    await (await scene.caller(name))('POST', `/loc/v1/callbacks/${name}`, listener);
  }
  await locate(scene, FIRST, LINES);
  await denyFirst(scene);
  await moveAll(scene);
  await denyLater(scene);
  await finish(scene);
  return scene;
}

/** Who may be shown the first account's positions of a line now, and who the later owner's. */
export function isShown({ fate, consent }: Line): { readonly first: boolean; readonly later: boolean } {
  const isAllowed = consent === 'allowed';
  const again = consent === 'denied later and allowed again';
  const isGone = fate.endsWith('is erased') || fate === 'is deleted';
  // A line that comes back to its first account is judged by that account alone.
  const isOwned = fate === 'stays' || fate.endsWith('returns');
  const isLocated = !['excluded', 'denied'].includes(consent);
  const isKept = laterOwnerOf(fate) !== undefined && laterOwnerOf(fate) !== DOOMED;
  return {
    first: !isGone && (isAllowed || (isOwned && again)),
    later: isKept && isLocated && !/(deleted|erased)$/.test(fate) && (isAllowed || again),
  };
}
