import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, MANAGED, STRANGER } from '../../../test/support/fleet.ts';
import { followNext, list, listDevices, pages, readLocationReport } from '../index.ts';
import { makeScene } from './scene.ts';

const scene = await makeScene();
const client = scene.client();
const DEVICES = Array.from({ length: 1_003 }, (_, i) => {
  const number = String(i).padStart(4, '0');
  return { accountName: ACCOUNT, imei: `99000000001${number}`, mdn: `555020${number}`, servicePlan: 'P-5MB' };
});
await scene.import({ devices: DEVICES });

const inOrder = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
};

describe('lists of any length', () => {
  it('of devices go on after the last one seen', async () => {
    scene.takeSent();
    const devices = await inOrder(listDevices(client, { accountName: ACCOUNT, maxNumberOfDevices: 400 }));
    const imeis = devices.map(({ deviceIds }) => deviceIds.find(({ kind }) => /imei/i.test(kind))?.id);
    assert.deepEqual([devices.length, new Set(imeis).size], [1_004, 1_004]);
    assert.equal(scene.takeSent().filter((call) => call.endsWith('/actions/list')).length, 3);
  });

  it('of a location report are read to their end', async () => {
    const deviceList = DEVICES.map(({ imei, mdn }) => ({ id: imei, kind: 'imei', mdn }));
    const { txid } = await client.call('POST /loc/v1/locationreports', {
      body: { accountName: ACCOUNT, accuracyMode: '0', cacheMode: '0', deviceList },
    });
    const located = await inOrder(readLocationReport(client, { accountName: ACCOUNT, txid }));
    assert.deepEqual([located.length, new Set(located.map(({ msid }) => msid)).size], [1_003, 1_003]);
  });

  it('of the operator follow X-Next, entry by entry and page by page', async () => {
    const accounts = list(scene.operatorClient, 'GET /operator/v1/accounts', { query: { limit: 2 } });
    assert.deepEqual(
      (await inOrder(accounts)).map(({ accountName }) => accountName),
      [ACCOUNT, MANAGED, STRANGER],
    );
    const path = { accountName: ACCOUNT };
    const sizes = pages(scene.operatorClient, 'GET /operator/v1/accounts/{accountName}/devices', {
      path,
      query: { limit: 600 },
    });
    assert.deepEqual(
      (await inOrder(sizes)).map(({ length }) => length),
      [600, 404],
    );
  });

  it('whose page is asked for in some other way follow X-Next too', async () => {
    const answers: Record<string, [number[], string?]> = { first: [[1, 2], 'b'], b: [[3]] };
    const all = followNext(async (page = 'first') => {
      const [data, next] = answers[page]!;
      return { status: 200, data, headers: new Headers(next === undefined ? {} : { 'X-Next': next }) };
    });
    assert.deepEqual((await inOrder(all)).flat(), [1, 2, 3]);
  });

  it('are not read further than they are used', async () => {
    scene.takeSent();
    for await (const _ of list(scene.operatorClient, 'GET /operator/v1/accounts', { query: { limit: 1 } }))
      break;
    assert.equal(scene.takeSent().length, 1);
  });
});
