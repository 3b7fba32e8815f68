import assert from 'node:assert/strict';
import type { Readable } from 'node:stream';
import { after, describe, it } from 'node:test';
import { ACCOUNT } from '../../../../test/support/fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import type { AccountName, EcpdId } from '../../../kernel/account-name.ts';
import { movableClock } from '../../../platform/clock/clock.ts';
import type { Viewer } from '../../../platform/context/context.ts';
import { createLiveHub } from '../live/live-hub.ts';
import { clockMark } from '../live/marks.ts';

const { ctx } = await makeWorld();
const TENANT = { ecpdId: '9000001' as EcpdId, accountName: ACCOUNT as AccountName };
const viewer: Viewer = {
  sessionHash: 'someone',
  kind: 'operator',
  operator: { keyName: 'a key', scopes: new Set(['read']) },
};

/** What a browser has heard so far. */
function hear(stream: Readable): () => string {
  let text = '';
  stream.on('data', (part: Buffer) => {
    text += part.toString();
  });
  return () => text;
}

const until = async (holds: () => boolean) => {
  for (let i = 0; i < 200 && !holds(); i++) await new Promise((resolve) => setTimeout(resolve, 25));
  assert.ok(holds());
};

/** A fact whose readers wait until they are let go. */
function slowFact() {
  let value = 'before';
  const readers: (() => void)[] = [];
  const hub = createLiveHub({
    marks: {
      usage: () => new Promise((resolve) => readers.push(() => resolve(value))),
    },
    findViewer: async () => viewer,
  });
  after(() => hub.close());
  return {
    readers,
    change: () => {
      value = 'after';
    },
    open: () => hear(hub.open(ctx, TENANT, viewer)),
  };
}

describe('who begins to watch', () => {
  it('is ready when the marks were read, and not before', async () => {
    const { readers, open } = slowFact();
    const heard = open();
    await until(() => heard().includes('beat'));
    assert.doesNotMatch(heard(), /ready/);
    readers[0]!();
    await until(() => heard().includes('event: ready'));
  });

  it('while a mark is read for others is told of what they are told of', async () => {
    const { readers, change, open } = slowFact();
    const first = open();
    readers.shift()!();
    await until(() => first().includes('ready'));
    // The reading of the poll has begun without the second, who learns the old state before it ends.
    await until(() => readers.length === 1);
    const second = open();
    readers[1]!();
    await until(() => second().includes('ready'));
    change();
    readers[0]!();
    await until(() => first().includes('"usage"') && second().includes('"usage"'));
  });
});

describe('the mark of the clock', () => {
  it('changes when the clock is moved, frozen or let go, and not while it runs or stands', async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: new Date('2026-01-05T00:00:00Z') });
    const clock = movableClock();
    const read = clockMark({ isFrozen: clock.isHeld, current: () => undefined });
    const seen: string[] = [];
    const staysFor = async (minutes: number) => {
      const mark = await read({ ...ctx, clock, now: clock.now });
      t.mock.timers.setTime(Date.now() + minutes * 60_000);
      assert.equal(await read({ ...ctx, clock, now: clock.now }), mark);
      seen.push(mark);
    };
    await staysFor(2);
    clock.holdAt(clock.now());
    await staysFor(3);
    clock.stepTo(new Date(clock.now().getTime() + 60_000));
    await staysFor(4);
    clock.release();
    await staysFor(5);
    assert.equal(new Set(seen).size, 4);
  });
});

describe('places', () => {
  // proves operating/live-connections
  it('429: are thirty at most for one key or user, however often they sign in', () => {
    const hub = createLiveHub({ marks: {}, findViewer: async () => viewer });
    after(() => hub.close());
    const come = (n: number, keyName = 'a key') =>
      hub.open(ctx, TENANT, {
        kind: 'operator',
        sessionHash: `session ${Math.floor(n / 10)} of ${keyName}`,
        operator: { keyName, scopes: new Set(['read']) },
      });
    for (let n = 0; n < 30; n++) come(n);
    assert.throws(() => come(30), /Too many live connections/);
    assert.ok(come(0, 'another key'));
  });

  // proves operating/live-connections
  it('429: are sixty at most for the users of one customer, and some are left for operators', () => {
    const hub = createLiveHub({ marks: {}, findViewer: async () => viewer });
    after(() => hub.close());
    const comeAs = (viewer: Viewer, customer: number) =>
      hub.open(ctx, { ...TENANT, ecpdId: String(customer) as EcpdId }, viewer);
    const userOf = (customer: number, n: number) => {
      const username = `user ${Math.floor(n / 10)} of ${customer}`;
      const principal = { username, sessionHash: username, accounts: new Map() };
      return comeAs({ kind: 'user', sessionHash: username, principal }, customer);
    };
    const operatorOf = (customer: number, n: number) => {
      const keyName = `key ${Math.floor(n / 10)}`;
      const operator = { keyName, scopes: new Set(['read']) };
      return comeAs({ kind: 'operator', sessionHash: keyName, operator }, customer);
    };
    for (const customer of [1, 2, 3]) {
      for (let n = 0; n < 60; n++) userOf(customer, n);
      assert.throws(() => userOf(customer, 60), /Too many live connections/);
    }
    assert.throws(() => userOf(4, 0), /Too many live connections/);
    for (let n = 0; n < 20; n++) operatorOf(1, n);
    assert.throws(() => operatorOf(1, 20), /Too many live connections/);
  });
});
