import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { until } from '../../../../test/support/customers-apart.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import { sql } from '../../../platform/db/sql.ts';
import { createSourceNotes, SourceRefused, sourcesInOrder } from '../../locations/index.ts';

const world = await makeWorld({
  settings: {
    network: {
      elements: [],
      positions: [
        { name: 'gmlc', kind: 'mlp', url: 'http://127.0.0.1:9/', client: 'linekeeper' },
        { name: 'own', kind: 'http', url: 'http://127.0.0.1:9/', secret: 'whsec_c2VjcmV0' },
      ],
      feeds: { files: [{ name: 'roaming', folder: '/nowhere', mapping: '' }] },
    },
  },
});
const { ctx } = world;
const readNetwork = async () => (await world.operator('GET', '/network')).json();
const statesOf = async () =>
  (await readNetwork()).positions.map(({ name, kind, state, lastError }: Record<string, string | null>) => [
    ...[name, kind, state, lastError],
  ]);

describe('the network in the operator API', () => {
  it('has every source of positions, whether it answers, and why it last did not', async () => {
    assert.deepEqual(await statesOf(), [
      ['gmlc', 'mlp', 'up', null],
      ['own', 'http', 'up', null],
    ]);
    let failure: Error | undefined = new Error('gmlc cannot be reached');
    const notes = createSourceNotes(ctx);
    const source = sourcesInOrder(
      [
        {
          ...{ name: 'gmlc', batchMax: 1, budgetMs: 1_000 },
          locate: async () => {
            if (failure !== undefined) throw failure;
            return new Map();
          },
        },
      ],
      notes.failed,
      notes.answered,
    );
    const locate = () =>
      source
        .locate([{ deviceId: 'a' } as never], {
          ...{ accuracy: 'coarse', timeLimitMs: 1_000, signal: new AbortController().signal },
        })
        .catch(() => {});
    const gmlc = async () => (await statesOf())[0];
    await locate();
    await until(async () => (await gmlc())[2] === 'silent');
    assert.deepEqual(await gmlc(), ['gmlc', 'mlp', 'silent', 'gmlc cannot be reached']);
    failure = undefined;
    await locate();
    await until(async () => (await gmlc())[2] === 'up');
    failure = new SourceRefused('gmlc does not know this client');
    await locate();
    await until(async () => (await gmlc())[3] === 'gmlc does not know this client');
    assert.equal((await gmlc())[2], 'up');
  });

  it('counts no process of a feed that has been dead for some seconds', async () => {
    const [dead, alive] = [ctx.newId(), ctx.newId()];
    for (const [reporter, agoS] of [
      [dead, 6],
      [alive, 0],
    ] as const)
      await ctx.db.exec(sql`
        insert into network_feed_report (feed, reporter, backlog, rate, accepted, duplicates, rejected, noted_at)
        values ('roaming', ${reporter}, 3, 0, 1, 0, 0, statement_timestamp() - make_interval(secs => ${agoS}))`);
    const [{ state, processes }] = (await readNetwork()).feeds;
    assert.deepEqual([state, processes], ['up', 1]);
  });
});
