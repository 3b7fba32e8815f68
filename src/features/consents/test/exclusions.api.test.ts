import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, MANAGED, STRANGER } from '../../../../test/support/fleet.ts';
import { sql } from '../../../platform/db/sql.ts';
import * as scene from './scene.ts';

const { call, db, pass, refused, readAll, readLedger, operator, ...world } = await scene.makeScene();
const { TRUCK, BY_IMEI, BY_MEID, BY_ESN, FOREIGN_IMEI, UNKNOWN_IMEI } = scene;
const PATH = '/loc/v1/consents';
const post = (body: object, headers?: Record<string, string>) =>
  call('POST', PATH, { accountName: ACCOUNT, ...body }, headers);
const read = async (path = '') => (await call('GET', `${PATH}/${ACCOUNT}${path}`)).json();
const remove = (deviceList: string, accountName = ACCOUNT) =>
  call('DELETE', `${PATH}?accountName=${accountName}&deviceList=${encodeURIComponent(deviceList)}`);
const succeeds = async (answer: ReturnType<typeof call>) =>
  assert.deepEqual([(await answer).statusCode, (await answer).json()], [200, { success: true }]);
const clear = () => succeeds(post({ allDevice: false, exclusion: [] }));
const listed = async () => (await read()).exclusion;

describe('POST /loc/v1/consents', () => {
  // proves 2.3/accountName 2.3/exclusion 2.3/updateTime 3/exclusions-append 4.3/exclude
  // proves consent/reading-the-list
  it('200: creates a missing list, and dates it', async () => {
    assert.deepEqual(await read(), {
      accountName: ACCOUNT,
      allDevice: false,
      exclusion: [],
      hasMoreData: false,
      totalCount: 0,
      updateTime: '',
    });
    pass(1_076);
    await succeeds(post({ type: 'append', exclusion: [BY_IMEI.imei] }));
    assert.deepEqual(await read(), {
      accountName: ACCOUNT,
      allDevice: false,
      exclusion: [BY_IMEI.imei],
      hasMoreData: false,
      totalCount: 1,
      updateTime: '2026-01-05 00:00:01.076 +0000 UTC',
    });
  });

  // proves 3/exclusions-append 3/exclusions-replace 4.3/exclude 4.3/rule-2
  it('200: adds for append, replaces for replace or no type, and enters each difference with its actor in the ledger', async () => {
    await clear();
    const { length } = await readLedger();
    await succeeds(post({ type: 'APPEND', exclusion: [BY_MEID.meid] }));
    await succeeds(post({ type: 'append', exclusion: [BY_ESN.esn.toLowerCase()] }));
    assert.deepEqual(await listed(), [BY_ESN.esn, BY_MEID.meid]);
    await succeeds(post({ exclusion: [TRUCK.imei, BY_ESN.esn] }));
    await succeeds(post({ type: 'replace', exclusion: [TRUCK.imei] }));
    assert.deepEqual(await listed(), [TRUCK.imei]);
    const changes = (await readLedger())
      .slice(length)
      .map((row) => `${row.actor} ${row.change} ${row.identifier}`);
    assert.deepEqual(changes, [
      `ws-user exclude ${BY_MEID.meid}`,
      `ws-user exclude ${BY_ESN.esn}`,
      `ws-user allow ${BY_MEID.meid}`,
      `ws-user exclude ${TRUCK.imei}`,
      `ws-user allow ${BY_ESN.esn}`,
    ]);
  });

  // proves 2.3/allDevice 3/all-excluded consent/exclusion-list
  it('200: changes allDevice only if it is sent, and never the list with it', async () => {
    await succeeds(post({ exclusion: [BY_IMEI.imei] }));
    await succeeds(post({ allDevice: true }));
    await succeeds(post({ type: 'append', exclusion: [TRUCK.imei] }));
    const { allDevice, exclusion } = await read();
    assert.deepEqual([allDevice, exclusion], [true, [TRUCK.imei, BY_IMEI.imei]]);
    await succeeds(post({ allDevice: false }));
    const after = await read();
    assert.deepEqual([after.allDevice, after.exclusion], [false, [TRUCK.imei, BY_IMEI.imei]]);
  });

  // proves 3/all-eligible-again consent/exclusion-list
  it('200: clears both for an empty list with allDevice false, even as append', async () => {
    await succeeds(post({ exclusion: [BY_IMEI.imei] }));
    await succeeds(post({ allDevice: true }));
    await succeeds(post({ type: 'append', allDevice: false, exclusion: [] }));
    const { allDevice, exclusion } = await read();
    assert.deepEqual([allDevice, exclusion], [false, []]);
  });

  it('200: adds no second entry, ledger row or new date for an already listed device, by any identifier', async () => {
    await succeeds(post({ exclusion: [TRUCK.meid] }));
    const [before, ledger] = [await read(), await readLedger()];
    pass(60_000);
    for (const id of [TRUCK.meid, TRUCK.imei, TRUCK.esn])
      await succeeds(post({ type: 'append', exclusion: [id] }));
    await succeeds(post({ exclusion: [TRUCK.meid] }));
    await succeeds(post({ allDevice: false }));
    assert.deepEqual([await read(), await readLedger()], [before, ledger]);
  });

  it('200: names a device in a replaced list as it was sent', async () => {
    await succeeds(post({ exclusion: [TRUCK.imei] }));
    assert.deepEqual(await listed(), [TRUCK.imei]);
  });

  // proves consent/exclusion-list
  it('200: treats null for allDevice or exclusion as absent', async () => {
    await succeeds(post({ allDevice: true, exclusion: null }));
    await succeeds(post({ allDevice: null, type: 'append', exclusion: [BY_IMEI.imei] }));
    assert.equal((await read()).allDevice, true);
    await clear();
  });

  it('200: writes an audit entry, and changes nothing for a repeated Idempotency-Key', async () => {
    const key = { 'idempotency-key': 'once' };
    const body = { type: 'append', exclusion: [BY_ESN.esn] };
    await succeeds(post(body, key));
    await succeeds(remove(BY_ESN.esn));
    await succeeds(post(body, key));
    assert.deepEqual(await listed(), []);
    const [entry] = (await operator('GET', '/audit?action=changeExclusions')).json();
    assert.deepEqual([entry.actor, entry.accountName], ['ws-user', ACCOUNT]);
  });

  const REFUSALS: [string, object, readonly [number, string, string]][] = [
    [
      'allDevice true with a list',
      { allDevice: true, exclusion: [TRUCK.imei] },
      [400, 'PARAMETER_ERROR', 'Conflicting device list'],
    ],
    [
      'allDevice true with an empty list',
      { allDevice: true, exclusion: [] },
      [400, 'PARAMETER_ERROR', 'Conflicting device list'],
    ],
    [
      'an empty list alone',
      { exclusion: [] },
      [400, 'PARAMETER_ERROR', 'Empty device list: exclusion may be empty only with allDevice false'],
    ],
    [
      'neither list nor flag',
      { type: 'append' },
      [400, 'INVALID_PARAMETER', 'Input Binding Error: allDevice or exclusion is needed'],
    ],
    [
      'an unknown device',
      { exclusion: [BY_ESN.esn, UNKNOWN_IMEI] },
      [400, 'PARAMETER_ERROR', `Ownership or MDN validation failed: ${UNKNOWN_IMEI}`],
    ],
    [
      "another customer's device",
      { exclusion: [BY_ESN.esn, FOREIGN_IMEI] },
      [400, 'PARAMETER_ERROR', `Ownership or MDN validation failed: ${FOREIGN_IMEI}`],
    ],
    [
      'an invalid identifier',
      { exclusion: [BY_ESN.esn, 'not-an-id'] },
      [400, 'PARAMETER_ERROR', 'Invalid device ID format.'],
    ],
    ['an empty identifier', { exclusion: [''] }, [400, 'PARAMETER_ERROR', 'Invalid device ID format.']],
    [
      'an identifier twice',
      { exclusion: [BY_ESN.esn, TRUCK.imei, BY_ESN.esn] },
      [400, 'PARAMETER_ERROR', `Duplicate exclusion devices. ${BY_ESN.esn}`],
    ],
    [
      'an identifier twice in different letter case',
      { exclusion: [BY_ESN.esn, BY_ESN.esn.toLowerCase()] },
      [400, 'PARAMETER_ERROR', `Duplicate exclusion devices. ${BY_ESN.esn}, ${BY_ESN.esn.toLowerCase()}`],
    ],
    [
      'two identifiers of one device',
      { exclusion: [TRUCK.imei, BY_ESN.esn, TRUCK.meid] },
      [400, 'PARAMETER_ERROR', `Duplicate exclusion devices. ${TRUCK.imei}, ${TRUCK.meid}`],
    ],
    [
      'a list of more than 2,000',
      { exclusion: Array.from({ length: 2_001 }, (_, i) => String(990_000_000_000_000 + i)) },
      [400, 'PARAMETER_ERROR', 'Max exclusion devices over limit'],
    ],
    [
      'an account that does not exist',
      { accountName: '0000000000-00000', allDevice: true },
      [400, 'PARAMETER_ERROR', 'Invalid account name'],
    ],
    [
      'an account that is not registered',
      { accountName: MANAGED, allDevice: true },
      [400, 'PARAMETER_ERROR', 'Unregistered account'],
    ],
    [
      'an unknown type',
      { type: 'merge', exclusion: [BY_ESN.esn] },
      [400, 'INVALID_PARAMETER', 'Input Binding Error: type must be equal to one of the allowed values'],
    ],
    [
      'a list of numbers',
      { exclusion: [1] },
      [400, 'INVALID_PARAMETER', 'Input Binding Error: exclusion.0 must be string'],
    ],
    [
      'a flag as text',
      { allDevice: 'false' },
      [400, 'INVALID_PARAMETER', 'Input Binding Error: allDevice must be boolean'],
    ],
    [
      "another customer's account",
      { accountName: STRANGER, allDevice: true },
      [401, 'INVALID_ACCESS', 'Access policy denied the operation'],
    ],
  ];
  for (const [what, body, row] of REFUSALS) {
    // proves refusals/parameter-error 4.3/rule-2 4.3/rule-3 7.2/exclusion-not-owned 7.2/exclusion-conflict 7.2/exclusion-limit
    // proves 7.2/exclusion-invalid-id 7.2/exclusion-duplicate 8/excluded-devices consent/exclusion-list
    it(`${row[0]}: refuses ${what}, and nothing changes`, async () => {
      await succeeds(post({ exclusion: [BY_IMEI.imei] }));
      await refused(post(body), row, await readAll());
    });
  }

  it('400: refuses malformed JSON', async () =>
    refused(
      call('POST', PATH, '{"accountName":'),
      [400, 'INVALID_PARAMETER', 'Invalid JSON.'],
      await readAll(),
    ));
});

describe('DELETE /loc/v1/consents', () => {
  // proves consent/leaving-the-list
  it('200: removes devices by any identifier, and names those that are not in the list without an error', async () => {
    await succeeds(post({ exclusion: [TRUCK.meid, BY_IMEI.imei, BY_MEID.meid] }));
    const esn = BY_ESN.esn.toLowerCase();
    const notListed = [esn, UNKNOWN_IMEI, FOREIGN_IMEI];
    const answer = await remove(`${TRUCK.imei}, ${notListed},${TRUCK.imei}, ${esn}`);
    assert.deepEqual([answer.statusCode, answer.json()], [200, { success: true, notListed }]);
    assert.deepEqual(await listed(), [BY_IMEI.imei, BY_MEID.meid]);
    const [before, ledger] = [await read(), await readLedger()];
    pass(1_000);
    assert.deepEqual((await remove(TRUCK.imei)).json(), { success: true, notListed: [TRUCK.imei] });
    assert.deepEqual([await read(), await readLedger()], [before, ledger]);
    await succeeds(remove(`${BY_IMEI.imei},${BY_MEID.meid}`));
  });

  it('200: leaves allDevice unchanged', async () => {
    await succeeds(post({ allDevice: true }));
    assert.deepEqual((await remove(BY_IMEI.imei)).json(), { success: true, notListed: [BY_IMEI.imei] });
    assert.equal((await read()).allDevice, true);
    await clear();
  });

  it("200: leaves another customer's list with the same identifier unchanged", async () => {
    await world.import({ exclusions: [{ accountName: STRANGER, imeis: [FOREIGN_IMEI] }] });
    assert.deepEqual((await remove(FOREIGN_IMEI)).json().notListed, [FOREIGN_IMEI]);
    const { n } = await db.one<{ n: number }>(
      sql`select count(*)::int as n from exclusion where account_name = ${STRANGER}`,
    );
    assert.equal(n, 1);
  });

  // proves refusals/parameter-error consent/unknown-devices consent/leaving-the-list
  it('400: refuses a malformed identifier, an empty list and an absent one, and nothing changes', async () => {
    await succeeds(post({ exclusion: [BY_IMEI.imei] }));
    const before = await readAll();
    await refused(remove(`${BY_IMEI.imei},x`), [400, 'PARAMETER_ERROR', 'Invalid device ID format.'], before);
    await refused(remove(`${BY_IMEI.imei},`), [400, 'PARAMETER_ERROR', 'Invalid device ID format.'], before);
    await refused(remove(''), [400, 'PARAMETER_ERROR', 'Empty device list'], before);
    const absent = call('DELETE', `${PATH}?accountName=${ACCOUNT}`);
    await refused(absent, [400, 'INVALID_PARAMETER', 'Input Binding Error: deviceList is required'], before);
  });

  it("400, 401: refuses accounts that are unknown, unregistered or not the caller's", async () => {
    const before = await readAll();
    await refused(remove(BY_IMEI.imei, '1-1'), [400, 'PARAMETER_ERROR', 'Invalid account name'], before);
    await refused(remove(BY_IMEI.imei, MANAGED), [400, 'PARAMETER_ERROR', 'Unregistered account'], before);
    const denied = [401, 'INVALID_ACCESS', 'Access policy denied the operation'] as const;
    await refused(remove(BY_IMEI.imei, STRANGER), denied, before);
  });
});
