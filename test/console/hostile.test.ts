import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { Page } from 'playwright-core';
import { beyond, makeTriggers, PLAN } from './support/acting-triggers.ts';
import { ACCOUNT, type ConsoleScene, inBrowser, openConsole, settled } from './support/scene.ts';

const scene = await openConsole();
const HAULAGE = '7000001';
/** Changes the title of the page and opens a dialog if the page treats any of it as more than text. */
const hostile = (what: string) => `${what} <img src=x onerror="document.title='1';alert(1)">`;
/** Without spaces. */
const CLIENT = 'client<img/src=x/onerror=alert(1)>';
const texts = (...whats: readonly string[]) => whats.map(hostile);
const IMEI = '990000500000001';
const RECORD = ['name', 'description', 'manufacturer', 'productmodel'] as const;

interface Written {
  readonly deviceId: string;
  readonly report: string;
}

/** Writes every text that others can write and that a page shows. */
async function write(its: ConsoleScene, page: Page): Promise<Written> {
  const { world, url } = its;
  await world.import({
    accounts: [{ accountName: ACCOUNT, ecpdId: HAULAGE, organizationName: hostile('organization') }],
    users: [{ username: hostile('user'), accounts: [ACCOUNT] }],
    clients: [{ clientId: CLIENT }],
    plans: [{ code: 'HOSTILE', name: hostile('plan'), kind: 'payAsYouGo', allowanceBytes: 1_000 }],
    devices: [
      {
        accountName: ACCOUNT,
        imei: IMEI,
        servicePlan: PLAN,
        state: 'active',
        labels: [{ name: hostile('label'), value: hostile('value') }],
        record: Object.fromEntries(RECORD.map((field) => [field, hostile(field)])),
      },
    ],
  });
  const call = async (path: string, data: object) => {
    const headers = { 'x-requested-by': 'console' };
    const answer = await page.request.post(`${url}/api${path}`, { headers, data });
    assert.ok(answer.ok(), `${path} ${await answer.text()}`);
    return answer.json();
  };
  const feed = async (path: string, record: object) => {
    const answer = await world.operator('POST', path, { kind: 'imei', device: IMEI, ...record });
    assert.equal(answer.json().accepted, 1, answer.body);
  };
  const found = await page.request.get(
    `${url}/api/console/v1/accounts/${ACCOUNT}/devices?search=${IMEI}&limit=1`,
  );
  const [{ deviceId }] = (await found.json()).devices;
  const { create } = makeTriggers(its);
  await create(page, hostile('trigger'), beyond(30));
  await call('/dm/v1/rules', {
    accountname: ACCOUNT,
    rule: {
      name: hostile('rule'),
      description: hostile('rule description'),
      deviceid: deviceId,
      rulesyntax: 'json',
      rulechain: { field: 'note', operator: 'eq', value: hostile('reading') },
    },
  });
  await world.watcher.settle();
  world.pass(1_000);
  const at = world.ctx.now();
  const words = { apn: hostile('apn'), ratingGroup: 'group <img src=x onerror=alert(1)>' };
  await feed('/usage', { id: hostile('record'), at, bytes: 40 * 1024 ** 2, ...words });
  await feed('/readings', { at, values: { note: hostile('reading') } });
  const { txid } = await call('/loc/v1/locationreports', {
    ...{ accountName: ACCOUNT, accuracyMode: '0', cacheMode: '1' },
    deviceList: [{ id: IMEI, kind: 'IMEI' }],
  });
  await world.operator('POST', '/events', {
    ...{ accountName: ACCOUNT, serviceName: 'CarrierService', requestId: hostile('request') },
    payload: { note: hostile('payload') },
  });
  await world.engine.settle();
  await world.watcher.settle();
  return { deviceId, report: txid };
}

/** The pages that must show these texts, always as plain text. */
const pagesOf = ({ deviceId, report }: Written): Readonly<Record<string, readonly string[]>> => {
  const at = (page: string) => `/accounts/${ACCOUNT}/${page}`;
  return {
    [at('overview')]: texts('organization', 'trigger', 'name'),
    [at(`devices?search=${IMEI}`)]: texts('name'),
    [at(`devices/${deviceId}`)]: texts(
      ...RECORD,
      'label',
      'value',
      'trigger',
      'rule',
      'rule description',
      'record',
    ),
    [at('map')]: [],
    [at('location-reports')]: [],
    [at(`location-reports/${report}`)]: [],
    [at('triggers')]: texts('trigger'),
    [at('triggers/firings')]: texts('trigger', 'name', 'record'),
    [at('approvals')]: [],
    [at(`records/device?fields=${encodeURIComponent(`name = ${hostile('name')}`)}`)]: texts(
      'name',
      'description',
      'productmodel',
    ),
    [at(`records/device/${deviceId}`)]: texts('name', 'manufacturer', 'rule', 'rule description'),
    [at('alerts')]: texts('name', 'rule', 'reading'),
    [at('callbacks')]: texts('request'),
    [at('billing')]: [],
    [at('managed-accounts')]: [],
    '/customers': texts('organization'),
    '/access/users': texts('user'),
    '/access/applications': [CLIENT],
    '/plans/catalogue': texts('plan'),
    '/audit': [],
    '/work': [],
  };
};

describe('what others have written', () => {
  inBrowser(scene, 'is text on every page that shows it, in every field', async (its) => {
    const user = await its.open(`/accounts/${ACCOUNT}/overview`, 'user');
    const pages = pagesOf(await write(its, user));
    const page = await its.open('/');
    const said: string[] = [];
    page.on('dialog', async (dialog) => {
      said.push(`${page.url()}: ${dialog.message()}`);
      await dialog.dismiss();
    });
    for (const [path, shown] of Object.entries(pages)) {
      await page.goto(`${its.url}${path}`);
      await settled(page);
      for (const text of shown) await page.getByText(text).first().waitFor({ state: 'attached' });
      assert.equal(await page.locator('img[src^=x]').count(), 0, path);
      assert.notEqual(await page.title(), '1', path);
    }
    assert.deepEqual(said, []);
  });
});
