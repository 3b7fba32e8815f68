import assert from 'node:assert/strict';
import { asUser, CLIENT } from '../../support/fleet.ts';
import { makeWorld, type World } from '../../support/world.ts';
import { type Case, UNAPPROVED_MAX } from '../case.ts';
import { CATALOGUE_DOCUMENT } from '../catalogue.ts';
import { fleetOf, type Names, namesFor } from './names.ts';
import { openPostOffice, type PostOffice } from './post-office.ts';

const OWNER = { username: 'model', password: 'model-password' };
/** Earlier than anything in a case, because importing reads the clock. */
const BEFORE_ALL = new Date('2025-06-01T00:00:00Z');
const SESSION_MS = 15 * 60_000;

type Call = Awaited<ReturnType<typeof asUser>>['call'];

/** One service for many cases, each with its own profile. */
export interface Stage {
  readonly world: World;
  /** Imports the fleets of later plays together: one document takes hardly longer than one fleet. */
  prepare(plays: readonly Case[]): Promise<readonly Names[]>;
  /** What arrives at listeners, mail server and SMS gateway. */
  readonly post: PostOffice;
  /** The clock is set back only between cases. */
  setBackTo(ms: number): void;
  /** Everything due until then is done, and all that follows from it has arrived. */
  moveTo(ms: number): Promise<void>;
  /** The owner of all accounts, signed in. */
  call: Call;
  /** Deletes the accounts, so that their pending work does not delay later plays. */
  leave(drawn: Case, names: Names): Promise<void>;
}

export async function openStage(): Promise<Stage> {
  const post = await openPostOffice(() => world.clock.now().getTime());
  const env = {
    LINEKEEPER_LOGIN_RATE: '0',
    LINEKEEPER_ACTION_DEVICES_MAX: String(UNAPPROVED_MAX),
    LINEKEEPER_SMTP_URL: post.smtpUrl,
    LINEKEEPER_SMS_URL: post.smsUrl,
  };
  const world: World = await makeWorld({ env });
  world.clock.holdAt(BEFORE_ALL);
  await world.import({ clients: [CLIENT], plans: CATALOGUE_DOCUMENT });
  let plays = 0;
  let isKnown = false;
  /** All accounts of the owner, because an import names all of them. */
  const owned = new Set<string>();
  let session: { readonly at: number; readonly call: Call } | undefined;

  const call = async (...asked: Parameters<Call>) => {
    const now = world.clock.now().getTime();
    // Sessions expire in the days that pass in a case.
    if (session === undefined || Math.abs(session.at - now) > SESSION_MS)
      session = { at: now, call: (await asUser(world, OWNER)).call };
    return session.call(...asked);
  };
  return {
    world,
    call: call as Call,
    async prepare(cases) {
      world.clock.holdAt(BEFORE_ALL);
      const fleets = cases.map((drawn) => {
        const names = namesFor(++plays, drawn);
        return { names, drawn, fleet: fleetOf(drawn, names, post.urlOf) };
      });
      const all = <K extends keyof ReturnType<typeof fleetOf>>(section: K) =>
        fleets.flatMap(({ fleet }) => fleet[section] as object[]);
      for (const { names, drawn } of fleets)
        for (const n of drawn.accounts.keys()) owned.add(names.account(n));
      await world.import({
        profiles: all('profiles'),
        accounts: all('accounts'),
        users: [{ ...OWNER, ...(isKnown && { password: undefined }), accounts: [...owned] }],
        ratePlanGroups: all('ratePlanGroups'),
        notificationGroups: all('notificationGroups'),
        listeners: all('listeners'),
        devices: all('devices'),
      });
      isKnown = true;
      session = undefined;
      return fleets.map(({ names }) => names);
    },
    post,
    setBackTo: (ms) => world.clock.holdAt(new Date(ms)),
    async moveTo(ms) {
      const answer = await world.operator('POST', '/clock', { set: new Date(ms).toISOString() });
      assert.equal(answer.statusCode, 200, answer.body);
    },
    async leave({ accounts }, names) {
      for (const n of accounts.keys()) {
        const answer = await world.operator('DELETE', `/accounts/${names.account(n)}`);
        assert.equal(answer.statusCode, 200, answer.body);
        owned.delete(names.account(n));
      }
      assert.equal((await world.operator('POST', '/actions/resume')).statusCode, 200);
    },
  };
}
