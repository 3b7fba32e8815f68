import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { Page } from 'playwright-core';
import { postCallbacks } from '../../src/features/callbacks/index.ts';
import { sql } from '../../src/platform/db/sql.ts';
import { ACCOUNT, type ConsoleScene, inBrowser, openConsole } from './support/scene.ts';

const scene = await openConsole();
const CALLBACKS = `/accounts/${ACCOUNT}/callbacks`;
const SERVICE = 'NiddService';

/** These callbacks failed a minute apart because no listener existed. Then one is registered. */
async function failSome({ world, listener }: ConsoleScene, page: Page, counts: readonly number[]) {
  const listenerRoute = `${scene!.url}/api/m2m/v1/callbacks/${ACCOUNT}/name/${SERVICE}`;
  const headers = { 'x-requested-by': 'console' };
  await page.request.delete(listenerRoute, { headers });
  await world.ctx.db.exec(sql`delete from callback_failed`);
  const { ecpdId } = await world.ctx.db.one<{ ecpdId: string }>(
    sql`select ecpd_id as "ecpdId" from account where account_name = ${ACCOUNT}`,
  );
  const times: Date[] = [];
  for (const [n, count] of counts.entries()) {
    world.pass(60_000);
    times.push(world.ctx.now());
    const one = {
      accountName: ACCOUNT,
      serviceName: SERVICE,
      requestId: `minute-${n}`,
      payload: {},
    } as const;
    await postCallbacks(
      world.ctx,
      ecpdId,
      Array.from({ length: count }, () => one),
    );
  }
  world.pass(60_000);
  assert.ok((await page.request.put(listenerRoute, { headers, data: { url: listener.url } })).ok());
  return times;
}

/** The value of a time field, in UTC. */
const moment = (at: Date): string => at.toISOString().slice(0, 19);
const heardSince = ({ listener }: ConsoleScene, from: number) => listener.heard.length - from;

async function openLog({ open }: ConsoleScene) {
  const page = await open(`${CALLBACKS}?state=failed&service=${SERVICE}`, 'user');
  await page.getByRole('table', { name: 'Listeners' }).waitFor();
  const log = page.getByRole('table', { name: 'Callbacks' });
  return { page, log, boxes: log.getByRole('checkbox', { name: /^Select NiddService/ }) };
}

const say = (page: Page, text: string) => page.getByRole('status').getByText(text).first().waitFor();

describe('what failed', () => {
  inBrowser(scene, 'is selected by keyboard and sent again after a question', async (of) => {
    const { page, log, boxes } = await openLog(of);
    await failSome(of, page, [1, 1, 1, 1]);
    const from = of.listener.heard.length;
    await log.getByText('minute-0').waitFor();
    await log.getByText('minute-3').waitFor();
    await boxes.first().focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('Shift+ArrowDown');
    await say(page, '2 selected');
    await page.getByRole('button', { name: 'Re-send selected' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Re-send failed callbacks?' });
    await dialog.getByText('The 2 failed callbacks that you selected will be re-sent').waitFor();
    await dialog.getByText('the listener gets a notice instead of the position').waitFor();
    await of.shoot(page, 'callback-selection');
    assert.equal(heardSince(of, from), 0);
    await dialog.getByRole('button', { name: 'Re-send' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('2 re-sent', { exact: true }).waitFor();
    await of.listener.next(from + 2);
    await log.getByText('minute-3').waitFor({ state: 'detached' });
    await log.getByText('minute-0').waitFor();
    await page.getByText('2 selected').waitFor({ state: 'detached' });
    assert.equal(heardSince(of, from), 2);
  });

  inBrowser(scene, 'in a span of time is counted, then sent again, and the rest is left', async (of) => {
    const { page, log } = await openLog(of);
    const times = await failSome(of, page, [1, 2, 3, 4]);
    const from = of.listener.heard.length;
    await page.getByRole('button', { name: 'Re-send failed' }).click();
    const dialog = page.getByRole('dialog', { name: 'Re-send failed callbacks?' });
    await dialog.getByText('10 failed callbacks of NiddService will be re-sent').waitFor();
    await dialog.getByLabel('Created from (UTC)').fill(moment(times[1]!));
    await dialog.getByLabel('Created before (UTC)').fill(moment(times[3]!));
    await dialog.getByText(/5 failed callbacks of NiddService, created from .* will be re-sent/).waitFor();
    await of.shoot(page, 'callback-resend');
    await dialog.getByRole('button', { name: 'Re-send' }).click();
    await page.getByText('5 re-sent', { exact: true }).waitFor();
    await of.listener.next(from + 5);
    await log.getByText('minute-2').first().waitFor({ state: 'detached' });
    await log.getByText('minute-3').first().waitFor();
    await log.getByText('minute-0').waitFor();
    assert.equal(heardSince(of, from), 5);

    await page.getByRole('button', { name: 'Re-send failed' }).click();
    await dialog.getByLabel('Created before (UTC)').fill(moment(new Date(times[0]!.getTime() - 1_000)));
    await dialog.getByText('There is no failed callback').waitFor();
    assert.equal(await dialog.getByRole('button', { name: 'Re-send' }).isDisabled(), true);
  });

  inBrowser(scene, 'goes in parts where there is much of it, each one once', async (of) => {
    const { page } = await openLog(of);
    await failSome(of, page, [2_100, 100]);
    const asked: string[] = [];
    page.on('request', (request) => request.url().endsWith('/resend') && asked.push(request.postData()!));
    await page.getByRole('button', { name: 'Re-send failed' }).click();
    const dialog = page.getByRole('dialog', { name: 'Re-send failed callbacks?' });
    await dialog.getByText('2,200 failed callbacks of NiddService will be re-sent').waitFor();
    await dialog.getByRole('button', { name: 'Re-send' }).click();
    await page.getByText('2,200 re-sent', { exact: true }).waitFor();
    assert.equal(asked.length, 2);
    const left = await of.world.ctx.db.many(
      sql`select 1 from callback_failed where service_name = ${SERVICE}`,
    );
    assert.equal(left.length, 0);
  });
});

describe('an operator who may only read', () => {
  inBrowser(scene, 'sees figures, log and attempts, and no button that would be refused', async (of) => {
    const { page: userPage } = await openLog(of);
    await failSome(of, userPage, [1]);
    const { key } = (await of.world.operator('POST', '/keys', { name: 'reader', scopes: ['read'] })).json();
    const page = await of.openAlone(CALLBACKS);
    await page.getByRole('tab', { name: 'Operator' }).click();
    await page.getByLabel('Operator key').fill(key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    const log = page.getByRole('table', { name: 'Callbacks' });
    await log.getByText('Failed').first().waitFor();
    await page.getByRole('region', { name: 'Delivery over time' }).waitFor();
    for (const name of [
      'Re-send failed',
      'Send a test event',
      'Register a listener',
      'Change',
      'Remove',
      'Pause',
    ])
      assert.equal(await page.getByRole('button', { name, exact: true }).count(), 0, name);
    assert.equal(await page.getByRole('checkbox').count(), 0);
    await log.getByRole('row').filter({ hasText: 'Failed' }).first().getByRole('button').click();
    const dialog = page.getByRole('dialog', { name: 'Callback' });
    await dialog.getByText('No attempt yet').waitFor();
    assert.equal(await dialog.getByRole('button', { name: 'Re-send' }).count(), 0);
    await page.close();
  });
});
