import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, SMALL_FLEET, STRANGER, STRANGER_USER, USER } from '../../../../test/support/fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import { type Browser, signIn } from './scene.ts';

const world = await makeWorld();
await world.import({
  ...SMALL_FLEET,
  devices: [
    ...SMALL_FLEET.devices,
    ...Array.from({ length: 3 }, (_, n) => ({
      accountName: ACCOUNT,
      imei: `9900000000002${n}`.padEnd(15, '3'),
      record: { name: `Meter ${n}`, manufacturer: n === 0 ? 'Acme' : 'Other', customdata: { floor: n } },
    })),
  ],
});
const [user, stranger, operator] = [
  await signIn(world, USER),
  await signIn(world, STRANGER_USER),
  await signIn(world),
];
const at = (path: string, account = ACCOUNT) => `/accounts/${account}${path}`;
const read = async (browser: Browser, path: string) => {
  const answer = await browser.get(path);
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json();
};
const named = async (name: string): Promise<string> => {
  const selection = encodeURIComponent(JSON.stringify({ name }));
  return (await read(user, at(`/records/device?selection=${selection}`))).records[0].id;
};
const rule = { name: 'Hot', description: '', disabled: false, syntax: 'json' };
const HOT = JSON.stringify({ field: 't', operator: 'gt', value: 5 });

describe('records', () => {
  it('200: are found by their fields, also inside objects, and come page by page', async () => {
    const names = async (selection: object) =>
      (
        await read(user, at(`/records/device?selection=${encodeURIComponent(JSON.stringify(selection))}`))
      ).records.map((one: { name: string }) => one.name);
    assert.deepEqual(await names({ manufacturer: 'Acme' }), ['Meter 0']);
    assert.deepEqual(await names({ 'customdata.floor': 2 }), ['Meter 2']);
    assert.deepEqual(await names({ manufacturer: 'Acme', name: 'Meter 1' }), []);
    const seen: string[] = [];
    let page = '';
    do {
      const { records, next } = await read(user, at(`/records/device?limit=2${page}`));
      seen.push(...records.map((one: { id: string }) => one.id));
      page = next === undefined ? '' : `&page=${encodeURIComponent(next)}`;
    } while (page !== '');
    assert.deepEqual([seen.length, new Set(seen).size], [4, 4]);
    assert.deepEqual((await read(user, at('/records/gateway'))).records, []);
  });

  it('400: a selection that is no object, or of no field, is refused', async () => {
    for (const [selection, code] of [
      ['[1]', 'invalid'],
      ['{', 'invalid'],
      ['{"__proto__":1}', 'invalid_name'],
      ['{"nonsense":1}', 'unknown_field'],
    ] as const) {
      const answer = await user.get(at(`/records/device?selection=${encodeURIComponent(selection)}`));
      assert.equal(answer.statusCode, 400, selection);
      assert.match(answer.json().code, new RegExp(code), selection);
    }
  });

  it('200: keep every digit of a number through reading and writing', async () => {
    const path = at(`/records/device/${await named('Meter 1')}`);
    const { versionId } = await read(user, path);
    const customData = '{"counter": 12345678901234567890}';
    const changed = await user.send('PATCH', path, { versionId, description: 'cellar', customData });
    assert.equal(changed.json().description, 'cellar');
    const again = await read(user, path);
    assert.match(again.customData, /12345678901234567890/);
    assert.equal(again.name, 'Meter 1', 'what is absent stays');
    assert.ok(
      again.fields.some(
        (one: { name: string; value: string }) => one.name === 'imei' && /^\d{15}$/.test(one.value),
      ),
    );
    const stale = await user.send('PATCH', path, { versionId, name: 'x' });
    assert.deepEqual([stale.statusCode, stale.json().code], [412, 'version_conflict']);
    const refused = await user.send('PATCH', path, { customData: '"text"' });
    assert.match(refused.json().detail, /^customData must be a JSON object/);
  });

  it('200: are found by an id in any letter case, and answer with their own', async () => {
    const id = await named('Meter 0');
    assert.equal((await read(user, at(`/records/device/${id.toUpperCase()}`))).id, id);
    assert.equal((await read(user, at(`/devices/${id.toUpperCase()}`))).deviceId, id);
  });

  it('403, 404: of others are neither read nor changed', async () => {
    const id = await named('Meter 0');
    assert.equal((await stranger.get(at('/records/device'))).statusCode, 403);
    const path = at(`/records/device/${id}`, STRANGER);
    assert.equal((await stranger.get(path)).json().code, 'device_unknown');
    assert.equal((await stranger.send('PATCH', path, { name: 'mine' })).statusCode, 404);
    assert.deepEqual((await read(stranger, `${path}/rules`)).rules, []);
  });
});

describe('rules', () => {
  it('200: are made, say whether they are evaluated, are switched off, and deleted', async () => {
    const deviceId = await named('Meter 0');
    const made = (await user.send('POST', at('/rules'), { ...rule, deviceId, chain: HOT })).json();
    assert.deepEqual(made.evaluation, { active: true, dialect: 'conditions' });
    const path = at(`/rules/${made.id}`);
    const odd = await user.send('PUT', path, { ...rule, versionId: made.versionId, chain: '{"field":1}' });
    assert.equal(odd.json().evaluation.active, false);
    assert.ok(odd.json().evaluation.reason.length > 0);
    const stale = await user.send('PUT', path, { ...rule, versionId: made.versionId, chain: HOT });
    assert.equal(stale.statusCode, 412);
    const off = await operator.send('PUT', path, { ...rule, disabled: true, chain: HOT });
    assert.equal(off.json().evaluation.reason, 'the rule is disabled');
    const lines = (await world.operator('GET', `/audit?accountName=${ACCOUNT}&action=overwriteRule`)).json();
    assert.deepEqual(
      lines.map((line: { actorKind: string; actor: string }) => [line.actorKind, line.actor]),
      [
        ['operator', 'first'],
        ['user', USER.username],
      ],
    );
    const { rules } = await read(user, at(`/records/device/${deviceId}/rules`));
    assert.deepEqual(
      rules.map((one: { name: string; disabled: boolean }) => [one.name, one.disabled]),
      [['Hot', true]],
    );
    assert.equal((await stranger.send('DELETE', at(`/rules/${made.id}`, STRANGER))).statusCode, 404);
    assert.equal((await user.send('DELETE', path)).statusCode, 200);
    assert.equal((await user.send('DELETE', path)).json().code, 'not_found');
  });

  it('200: have versions that say who changed what, and whose numbers keep their digits', async () => {
    const deviceId = await named('Meter 1');
    const long = '{"field":"t","operator":"gt","value":12345678901234567890}';
    const made = (await user.send('POST', at('/rules'), { ...rule, deviceId, chain: long })).json();
    await operator.send('PUT', at(`/rules/${made.id}`), { ...rule, name: 'Hotter', chain: HOT });
    await world.import({
      rules: [{ id: made.id, accountName: ACCOUNT, deviceid: deviceId, name: 'Hottest' }],
    });
    const path = at(`/rules/${made.id}/versions`);
    const { versions } = await read(user, path);
    assert.deepEqual(
      versions.map(
        (
          one: Record<'change' | 'actorKind' | 'actor', string> & {
            before: unknown;
            after: { name: string };
          },
        ) => [
          one.change,
          `${one.actorKind} ${one.actor}`,
          (one.before as { name?: string } | null)?.name,
          one.after.name,
        ],
      ),
      [
        ['imported', 'operator first', 'Hotter', 'Hottest'],
        ['changed', 'operator first', 'Hot', 'Hotter'],
        ['created', `user ${USER.username}`, undefined, 'Hot'],
      ],
    );
    assert.match(versions[2].after.chain, /12345678901234567890/);
    const first = await read(user, `${path}?limit=2`);
    assert.equal((await read(user, `${path}?limit=2&page=${first.next}`)).versions[0].change, 'created');
    assert.deepEqual((await read(stranger, at(`/rules/${made.id}/versions`, STRANGER))).versions, []);
    await user.send('DELETE', at(`/rules/${made.id}`));
  });

  it('403: a key that may only read changes nothing', async () => {
    const { key } = (await world.operator('POST', '/keys', { name: 'reader', scopes: ['read'] })).json();
    const reader = await signIn(world, { operatorKey: key });
    const deviceId = await named('Meter 0');
    for (const answer of [
      await reader.send('POST', at('/rules'), { ...rule, deviceId, chain: HOT }),
      await reader.send('PATCH', at(`/records/device/${deviceId}`), { name: 'x' }),
    ])
      assert.equal(answer.json().code, 'scope_missing');
  });
});

describe('smart alerts', () => {
  it('200: come newest first, by state and device, and are acknowledged by their owner', async () => {
    const deviceId = await named('Meter 2');
    await user.send('POST', at('/rules'), { ...rule, deviceId, chain: HOT });
    await world.watcher.settle();
    const fed = await world.operator('POST', '/readings', {
      kind: 'imei',
      device: '990000000000223',
      at: world.ctx.now(),
      values: { t: 9 },
    });
    assert.equal(fed.json().accepted, 1, fed.body);
    const [alert] = (await read(user, at(`/smart-alerts?state=raised&deviceId=${deviceId}`))).alerts;
    assert.deepEqual([alert.name, alert.acknowledged], ['Hot', false]);
    assert.deepEqual((await read(user, at('/smart-alerts?state=cleared'))).alerts, []);
    const acknowledge = (browser: Browser, acknowledged: boolean, account?: string) =>
      browser.send('POST', at('/smart-alerts/acknowledge', account), { ids: [alert.id], acknowledged });
    assert.equal((await acknowledge(stranger, true, STRANGER)).json().code, 'smart_alert_not_found');
    assert.equal((await acknowledge(user, true)).statusCode, 200);
    assert.equal((await read(user, at('/smart-alerts'))).alerts[0].acknowledgedby, USER.username);
    assert.equal((await acknowledge(user, false)).statusCode, 200);
    assert.equal((await read(user, at('/smart-alerts'))).alerts[0].acknowledged, false);
  });
});
