import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { asUser } from '../../../../test/support/fleet.ts';
import { sql } from '../../../platform/db/sql.ts';
import { sessionJobs } from '../jobs.ts';
import { ACCOUNT, at, imeiOf, imsiOf, makeSessionWorld, NOON, report, STRANGER } from './scene.ts';

const world = await makeSessionWorld();
const taker = world.taker();
const bytesOf = async (accountName: string): Promise<number> =>
  (
    await world.ctx.db.one<{ bytes: number }>(
      sql`select coalesce(sum(bytes), 0)::float8 as bytes from usage_record where account_name = ${accountName}`,
    )
  ).bytes;

const listed = async (n: number): Promise<[string, string | null][]> =>
  (await world.sessions(n)).map(({ state, closeCause }: { state: string; closeCause: string | null }) => [
    state,
    closeCause,
  ]);

const DAY_MS = 86_400_000;

interface ListedDevice {
  readonly connected: boolean;
  readonly lastConnectionDate?: string;
  readonly deviceIds: readonly { readonly kind: string; readonly id: string }[];
}

describe('a data session', () => {
  it('has all facts that its reports contain, and is open until its stop is reported', async () => {
    const facts = {
      n: 0,
      rat: 'E-UTRAN',
      sgsn: '198.51.100.4',
      ggsn: '198.51.100.5',
      visited: '310410',
      imeisv: `${imeiOf(0).slice(0, 14)}01`,
      address: '10.9.8.7',
      cell: '001-01-1-257',
      chargingId: 77,
    };
    assert.equal(await taker.take(report({ ...facts, kind: 'start', atMs: at(1) })), 'nothing');
    assert.equal(
      await taker.take(report({ n: 0, chargingId: 77, atMs: at(2), input: 10, output: 20 })),
      'counted',
    );
    const [session] = await world.sessions(0);
    assert.deepEqual(session, {
      nas: 'gw-1',
      sessionId: 'S0',
      chargingId: 77,
      state: 'open',
      startedAt: new Date(at(1)).toISOString(),
      lastReportAt: new Date(at(2)).toISOString(),
      closedAt: null,
      closeCause: null,
      inputBytes: 10,
      outputBytes: 20,
      apn: 'iot.apn',
      rat: 'E-UTRAN',
      ipAddress: '10.9.8.7',
      sgsn: '198.51.100.4',
      ggsn: '198.51.100.5',
      visitedNetwork: '310410',
      countryCode: 'USA',
      imeisv: `${imeiOf(0).slice(0, 14)}01`,
      otherDevice: false,
      cell: '001-01-1-257',
    });
    const end = { kind: 'stop', atMs: at(3), input: 15, output: 20, terminateCause: 'idle timeout' } as const;
    assert.equal(await taker.take(report({ n: 0, chargingId: 77, ...end })), 'counted');
    assert.deepEqual(await listed(0), [['closed', 'idle timeout']]);
  });

  it('ends at the next start of its line on the same access point, at a restart, and after a day of silence', async () => {
    await taker.take(report({ n: 1, sessionId: 'first', kind: 'start', atMs: at(1) }));
    await taker.take(
      report({ n: 1, sessionId: 'other', kind: 'start', atMs: at(2), apn: 'other.apn', nas: 'gw-2' }),
    );
    await taker.take(report({ n: 1, sessionId: 'second', kind: 'start', atMs: at(3) }));
    assert.deepEqual(await listed(1), [
      ['open', null],
      ['open', null],
      ['closed', 'the next start of the line'],
    ]);
    assert.equal(await taker.take({ kind: 'restart', nas: 'gw-2', atMs: at(4) }), 'restart');
    await taker.closed();
    assert.deepEqual(await listed(1), [
      ['open', null],
      ['closed', 'restart of the access server'],
      ['closed', 'the next start of the line'],
    ]);
    const signal = new AbortController().signal;
    world.clock.holdAt(new Date(at(4) + 2 * DAY_MS));
    for (const job of sessionJobs({ usage: 400 })) await job.run(world.ctx, {}, { signal } as never);
    assert.deepEqual((await listed(1))[0], ['closed', 'nothing was heard of it']);
    world.clock.holdAt(new Date(at(4) + 40 * DAY_MS));
    for (const job of sessionJobs({ usage: 400 })) await job.run(world.ctx, {}, { signal } as never);
    assert.deepEqual(await listed(1), []);
    world.clock.holdAt(NOON);
  });

  it('shows both directions correctly, and counts nothing twice if they are swapped while it is open', async () => {
    const given = { n: 2, sessionId: 'turned', input: 10, output: 100 };
    assert.equal(await taker.take(report({ ...given, atMs: at(1) })), 'counted');
    const before = await world.total();
    const turned = report({ ...given, atMs: at(2), input: 30, directionsSwapped: true });
    assert.equal(await taker.take(turned), 'counted');
    assert.equal((await world.total()) - before, 20);
    const [{ inputBytes, outputBytes }] = await world.sessions(2);
    assert.deepEqual([inputBytes, outputBytes], [100, 30]);
    await taker.take(report({ ...given, kind: 'stop', atMs: at(3), directionsSwapped: true }));
  });

  it('makes its line connected in the list of devices, and no other', async () => {
    const user = await asUser(world);
    const connected = async () => {
      const { devices } = (
        await user.call('POST', '/m2m/v1/devices/actions/list', { accountName: ACCOUNT })
      ).json();
      return devices.flatMap((device: ListedDevice) =>
        device.connected
          ? [[device.deviceIds.find(({ kind }) => kind === 'imsi')?.id, device.lastConnectionDate]]
          : [],
      );
    };
    await taker.take(report({ n: 2, sessionId: 'now', kind: 'start', atMs: at(5) }));
    assert.deepEqual(
      (await connected()).filter(([imsi]: [string]) => imsi === imsiOf(2)),
      [[imsiOf(2), new Date(at(5)).toISOString()]],
    );
    await taker.take(report({ n: 2, sessionId: 'now', kind: 'stop', atMs: at(6) }));
    assert.deepEqual(
      (await connected()).filter(([imsi]: [string]) => imsi === imsiOf(2)),
      [],
    );
  });

  it('continues when its line moves to another profile, and counts nothing twice, even in a late report from before the move', async () => {
    const n = 4;
    const own = { n, sessionId: 'moving' };
    const before = [await bytesOf(ACCOUNT), await bytesOf(STRANGER)] as const;
    await taker.take(report({ ...own, atMs: at(10), input: 1_000 }));
    const path = `/devices/imsi/${imsiOf(n)}`;
    world.clock.holdAt(new Date(at(20)));
    for (const [verb, body] of [
      ['state', { state: 'deactive' }],
      ['move', { accountName: STRANGER }],
    ] as const) {
      const answer = await world.operator('POST', `${path}/${verb}`, body);
      assert.equal(answer.statusCode, 200, answer.body);
    }
    world.clock.holdAt(NOON);
    assert.equal(await taker.take(report({ ...own, atMs: at(30), input: 1_500 })), 'counted');
    assert.equal(await taker.take(report({ ...own, atMs: at(15), input: 1_200 })), 'nothing');
    assert.equal(await taker.take(report({ ...own, atMs: at(40), input: 1_600 })), 'counted');
    assert.deepEqual(
      [(await bytesOf(ACCOUNT)) - before[0], (await bytesOf(STRANGER)) - before[1]],
      [1_000, 600],
    );
  });

  it('ignores a report that is rejected', async () => {
    const unknown = report({ n: 5, device: { kind: 'imsi', value: '001019999999999' }, input: 500 });
    assert.deepEqual(await taker.take(unknown), { rejected: 'device is not known' });
    const ahead = report({ n: 5, atMs: NOON.getTime() + 3_600_000, input: 500 });
    assert.match(JSON.stringify(await taker.take(ahead)), /in the future/);
    const old = report({ n: 5, atMs: NOON.getTime() - 500 * 86_400_000, input: 500 });
    assert.match(JSON.stringify(await taker.take(old)), /before the ledger begins/);
    const before = await bytesOf(ACCOUNT);
    assert.equal(await taker.take(report({ n: 5, input: 500 })), 'counted');
    assert.equal((await bytesOf(ACCOUNT)) - before, 500);
  });

  it("is noticed once if it is in another device than its line's record says", async () => {
    const imeisv = '3534567890123401';
    for (const sessionId of ['a', 'b'])
      await taker.take(
        report({ n: 6, sessionId, kind: 'start', imeisv, atMs: at(sessionId === 'a' ? 1 : 2) }),
      );
    const entries = (await world.operator('GET', '/audit?limit=1000')).json();
    const noticed = entries.filter(({ action }: { action: string }) => action === 'noticeOtherDevice');
    assert.equal(noticed.length, 1);
    assert.deepEqual([noticed[0].before, noticed[0].after], [{ imei: imeiOf(6) }, { imeisv }]);
    assert.equal((await world.sessions(6))[0].otherDevice, true);
  });
});

describe('more session reports than can be taken', () => {
  it('are refused as overloaded, and leave room for other profiles', async () => {
    const small = world.taker(world.ctx, { waitingMax: 20, profileMax: 5 });
    const many = Array.from({ length: 30 }, (_, n) => report({ n: 7, sessionId: `many${n}`, input: 1 }));
    const others = [report({ n: 11, sessionId: 'other', input: 1 })];
    const outcomes = await Promise.all([...others, ...many].map((each) => small.take(each)));
    assert.equal(outcomes[0], 'counted');
    assert.ok(outcomes.filter((outcome) => outcome === 'overloaded').length >= 11);
    assert.equal(small.waiting, 0);
  });
});
