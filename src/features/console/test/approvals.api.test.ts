import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findAskedMark } from '../../trigger-actions/index.ts';
import { MB, makeActingWorld, SUSPEND_30 } from '../../trigger-actions/test/scene.ts';
import { BROWSER, type Browser, signIn } from './scene.ts';

const nextScene = await makeActingWorld({ env: { LINEKEEPER_ACTION_DEVICES_MAX: '1' }, customers: 5 });

interface Listed {
  readonly firingId: string;
  readonly triggerName: string;
  readonly isThere: boolean;
  readonly approvableTo: string;
  readonly actions: readonly { accountName: string; deviceCount: number; state: string }[];
}

async function makeScene() {
  const scene = await nextScene();
  const { world, a } = scene;
  await world.import({
    users: [{ username: `part-${scene.ecpdId}`, password: 'part-password', accounts: [a] }],
  });
  const pageOf = async (browser: Browser, account = a, query = '') => {
    const answer = await browser.get(`/accounts/${account}/approvals${query}`);
    assert.equal(answer.statusCode, 200, answer.body);
    return answer.json() as { approvals: Listed[]; waiting: number; paused: boolean; next?: string };
  };
  const countOf = async (browser: Browser, account = a): Promise<number> =>
    (await pageOf(browser, account, '?limit=1')).waiting;
  const suspendBeyond = (cycleType: string, more: object = {}) =>
    scene.individual(
      { suspend: true, suspendDetails: { ...SUSPEND_30, threshold: 1, thresholdUnit: 'MB' } },
      { conditionType: 'AccountLevel', separateOrCombined: 'Separate', threshold: 1, cycleType, ...more },
    );
  return { ...scene, pageOf, countOf, suspendBeyond };
}
const owner = (scene: { world: Parameters<typeof signIn>[0] }) =>
  signIn(scene.world, { username: 'owner', password: 'owner-password' });
const idsOf = (listed: readonly Listed[]) => listed.map(({ firingId }) => firingId);

describe('approvals', () => {
  it('200: are what waits in an account, what expires first at the top, with what it would do', async () => {
    const scene = await makeScene();
    const { a, b } = scene;
    for (const cycle of ['Monthly', 'Daily', 'Weekly']) await scene.create(scene.suspendBeyond(cycle));
    await scene.use({ 0: 2 * MB, 500: 2 * MB });
    const browser = await owner(scene);
    const { approvals, paused } = await scene.pageOf(browser);
    assert.equal(paused, false);
    assert.equal(approvals.length, 3);
    const ends = approvals.map(({ approvableTo }) => approvableTo);
    assert.deepEqual(ends, ends.toSorted());
    for (const { actions, triggerName, isThere } of approvals) {
      const [{ accountName, deviceCount, state } = {}] = actions as Partial<Listed['actions'][number]>[];
      assert.deepEqual(
        [triggerName, isThere, accountName, deviceCount, state],
        ['t', true, a, 5, 'awaitingApproval'],
      );
    }
    const ofB = await scene.pageOf(browser, b);
    assert.equal(ofB.approvals.length, 3);
    assert.deepEqual([await scene.countOf(browser, a), await scene.countOf(browser, b)], [3, 3]);
  });

  it('200: page by page are the same as all at once', async () => {
    const scene = await makeScene();
    for (let n = 0; n < 5; n++) await scene.create(scene.suspendBeyond(n % 2 ? 'Daily' : 'Monthly'));
    await scene.use({ 0: 2 * MB });
    const browser = await owner(scene);
    const all = idsOf((await scene.pageOf(browser)).approvals);
    assert.equal(all.length, 5);
    const parts: string[] = [];
    for (let next: string | undefined = ''; next !== undefined; ) {
      const query: string = next === '' ? '?limit=2' : `?limit=2&page=${next}`;
      const part = await scene.pageOf(browser, scene.a, query);
      parts.push(...idsOf(part.approvals));
      next = part.next;
    }
    assert.deepEqual(parts, all);
    assert.equal((await browser.get(`/accounts/${scene.a}/approvals?page=x`)).statusCode, 400);
  });

  it('200: are not there for whoever may use only some accounts of the trigger, and none of another customer is', async () => {
    const scene = await makeScene();
    await scene.create(scene.suspendBeyond('Monthly'));
    await scene.use({ 0: 2 * MB });
    const credentials = { username: `part-${scene.ecpdId}`, password: 'part-password' };
    const part = await signIn(scene.world, credentials);
    assert.deepEqual([(await scene.pageOf(part)).approvals, await scene.countOf(part)], [[], 0]);
    const stranger = await signIn(scene.world, { username: 'stranger', password: 'stranger-password' });
    assert.equal((await stranger.get(`/accounts/${scene.a}/approvals`)).statusCode, 403);
    const operator = await signIn(scene.world);
    assert.deepEqual(
      [(await scene.pageOf(operator)).approvals.length, await scene.countOf(operator)],
      [1, 1],
    );
  });

  it('200: are gone once somebody has said yes or no, or their cycle is over, and whoever watches hears of it', async () => {
    const scene = await makeScene();
    const { world, a, ecpdId } = scene;
    const tenant = { ecpdId, accountName: a } as Parameters<typeof findAskedMark>[1];
    const mark = () => findAskedMark(scene.db, tenant, world.ctx.now());
    for (const cycle of ['Daily', 'Weekly', 'Monthly']) await scene.create(scene.suspendBeyond(cycle));
    const marks = [await mark()];
    await scene.use({ 0: 2 * MB });
    marks.push(await mark());
    const browser = await owner(scene);
    const [daily, weekly, monthly] = idsOf((await scene.pageOf(browser)).approvals);
    const judge = (firingId: string, word: string) =>
      browser.call('POST', `/m2m/v2/triggers/firings/${firingId}/${word}`, undefined, BROWSER);
    assert.equal((await judge(weekly!, 'reject')).statusCode, 200);
    marks.push(await mark());
    assert.deepEqual(idsOf((await scene.pageOf(browser)).approvals), [daily, monthly]);
    assert.equal((await judge(monthly!, 'approve')).statusCode, 200);
    marks.push(await mark());
    assert.deepEqual(idsOf((await scene.pageOf(browser)).approvals), [daily]);
    world.pass(86_400_000);
    marks.push(await mark());
    const later = await owner(scene);
    assert.deepEqual([(await scene.pageOf(later)).approvals, await scene.countOf(later)], [[], 0]);
    assert.deepEqual([marks[0], new Set(marks).size], [marks[4], 4]);
  });

  it('200: leave out those of a deleted trigger, and say that actions are paused: then they can only be rejected', async () => {
    const scene = await makeScene();
    const triggerId = await scene.create(scene.suspendBeyond('Monthly'));
    await scene.use({ 0: 2 * MB });
    assert.equal((await scene.call('DELETE', `/${triggerId}`)).statusCode, 200);
    await scene.world.operator('POST', '/actions/pause');
    const { approvals, paused } = await scene.pageOf(await owner(scene));
    await scene.world.operator('POST', '/actions/resume');
    assert.deepEqual([approvals, paused], [[], true]);
  });
});
