import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { clients } from '../../../demo/credentials.ts';
import { BROWSER, signIn } from '../../../src/features/console/test/scene.ts';
import { basic, bearer, logIn } from '../../support/fleet.ts';
import { makeWorld, OPERATOR_KEY, START } from '../../support/world.ts';
import type { Operation } from './document.ts';
import { DEPOTS, FLEET, KNOWN, OWNER, STRANGER } from './fleet.ts';
import { knownValues } from './known.ts';
import { type Answer, closeConnections, send } from './wire.ts';

/** After this time, everything that requests concern lies in the past. */
const TIME_TO_LIVE_MS = 60 * 86_400_000;

type Headers = Readonly<Record<string, string>>;
export type Caller = 'owner' | 'stranger' | 'nobody';

/** A firing that would touch two devices waits for approval. */
const ENV = {
  LINEKEEPER_LOGIN_RATE: '0',
  LINEKEEPER_ADVANCE_WAIT_SECONDS: '1',
  LINEKEEPER_ACTION_DEVICES_MAX: '1',
};

type World = Awaited<ReturnType<typeof makeWorld>>;

const sessionOf = async ({ api }: World, { username, password }: typeof OWNER): Promise<Headers> => {
  const token = await bearer(api, clients[0]!);
  return {
    authorization: `Bearer ${token}`,
    'svc-m2m-token': await logIn(api, token, { username, password }),
  };
};
const browserOf = async (world: World, user: object): Promise<Headers> => ({
  ...BROWSER,
  cookie: (await signIn(world, user)).cookie,
});

/** The callers with a session: how each signs in, and an address that shows whether the session is still valid. */
const SIGN_IN = {
  owner: { how: (world: World) => sessionOf(world, OWNER), at: `/m2m/v1/accounts/${OWNER.accounts[0]}` },
  stranger: {
    how: (world: World) => sessionOf(world, STRANGER),
    at: `/m2m/v1/accounts/${STRANGER.accounts[0]}`,
  },
  depots: { how: (world: World) => sessionOf(world, DEPOTS), at: `/m2m/v1/accounts/${DEPOTS.accounts[0]}` },
  ownerBrowser: { how: (world: World) => browserOf(world, named(OWNER)), at: '/console/v1/session' },
  strangerBrowser: { how: (world: World) => browserOf(world, named(STRANGER)), at: '/console/v1/session' },
} as const;
type Person = keyof typeof SIGN_IN;
const PEOPLE = Object.keys(SIGN_IN) as readonly Person[];

const named = ({ username, password }: typeof OWNER) => ({ username, password });
const CLIENT = { authorization: basic(clients[0]!) };
const GUESSED_CLIENT = { authorization: basic({ clientId: 'partner-app', clientSecret: 'guessed' }) };
const OPERATOR = { authorization: `Bearer ${OPERATOR_KEY}` };

/** For these operations, the owner is the user whose home is the managed account. */
const OF_THE_MANAGED = /managedaccounts\/actions\/(provision|cancel)$/;

/** The service on a port, with two customers that have entries of every kind. */
export async function makeScene(fleet = FLEET, wanted: Parameters<typeof makeWorld>[0] = {}) {
  const files = [{ name: 'files', folder: mkdtempSync(join(tmpdir(), 'linekeeper-fuzz-')), mapping: '' }];
  after(() => rmSync(files[0]!.folder, { recursive: true, force: true }));
  const world = await makeWorld({
    snapshots: true,
    scenarios: 'kept',
    ...wanted,
    settings: { network: { elements: [], positions: [], feeds: { files } }, ...wanted.settings },
    env: { ...ENV, ...wanted.env },
  });
  await world.import(fleet);
  const known = knownValues(KNOWN);
  const people = {} as Record<Person, Headers>;
  for (const person of PEOPLE) people[person] = await SIGN_IN[person].how(world);
  await world.api.listen({ host: '127.0.0.1', port: 0 });
  const { port } = world.api.server.address() as AddressInfo;
  after(closeConnections);

  const headersOf = ({ credentials, path }: Operation, caller: Caller): Headers => {
    if (caller === 'nobody') return {};
    const isOwner = caller === 'owner';
    if (credentials.includes('consoleSession')) {
      return isOwner ? people.ownerBrowser : people.strangerBrowser;
    }
    if (credentials.includes('operatorKey')) return isOwner ? OPERATOR : people.stranger;
    if (credentials.includes('clientCredentials')) return isOwner ? CLIENT : GUESSED_CLIENT;
    if (credentials.length === 0) return BROWSER;
    if (!isOwner) return people.stranger;
    return OF_THE_MANAGED.test(path) ? people.depots : people.owner;
  };

  const isSignedIn = async (person: Person): Promise<boolean> => {
    const answer = await world.api.inject({ url: `/api${SIGN_IN[person].at}`, headers: people[person] });
    return answer.statusCode === 200;
  };
  /** Returns whether any session had ended. */
  const signInAgain = async (): Promise<boolean> => {
    let isMended = false;
    for (const person of PEOPLE) {
      if (await isSignedIn(person)) continue;
      isMended = true;
      people[person] = await SIGN_IN[person].how(world);
      if (!(await isSignedIn(person))) throw new Error(`${person} has no account any more`);
    }
    return isMended;
  };
  const letIn = async (): Promise<true> => {
    await world.import({ clients: fleet.clients, users: fleet.users });
    for (const { username } of fleet.users)
      for (const change of ['enable', 'unlock']) await world.operator('POST', `/users/${username}/${change}`);
    for (const { clientId } of fleet.clients) await world.operator('POST', `/clients/${clientId}/enable`);
    await signInAgain();
    return true;
  };
  const restore = async (): Promise<void> => {
    await world.import(fleet);
    await world.operator('POST', '/actions/resume');
    await world.operator('PATCH', '/network/simulation', { condition: 'normal', orders: null });
    await world.operator('POST', '/network/simulated/resume');
    await letIn();
  };
  const beginAnew = async (): Promise<true> => {
    const reset = await world.operator('POST', '/clock', { reset: true });
    if (reset.statusCode !== 200) throw new Error(`not reset: ${reset.body}`);
    world.clock.holdAt(START);
    await restore();
    return true;
  };

  let numbers = 0;
  return {
    world,
    fleet,
    known,
    /** For names that have not been used before. */
    nextNr: () => numbers++,
    headersOf,
    ask: (sent: Parameters<typeof send>[1]): Promise<Answer> => send(port, sent),
    /** Restores everything in the fleet that was changed or deleted. */
    restore,
    /**
     * Some requests end sessions, delete accounts or move time: this restores the world for the next ones. Returns
     * whether it repaired anything.
     */
    mend(): Promise<boolean> {
      const isFarAway = world.clock.now().getTime() - START.getTime() > TIME_TO_LIVE_MS;
      return isFarAway ? beginAnew() : signInAgain().catch(letIn).catch(beginAnew);
    },
  };
}
export type Scene = Awaited<ReturnType<typeof makeScene>>;
