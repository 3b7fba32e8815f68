import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, SMALL_FLEET } from '../../../../test/support/fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import { STATES_MAX_CHARS, writeAudit } from '../../../platform/context/audit.ts';
import { listRuleVersions } from '../../device-management/querying/list-rule-versions.ts';

const TENANT = { ecpdId: '9000001', accountName: ACCOUNT } as never;
const RULE_ID = '7a6d0f5e-9f0a-4c55-8f0e-2f60c1f5a001';
const world = await makeWorld();
const { ctx } = world;
await world.import(SMALL_FLEET);

/** A line whose two states fill this much of a page. */
const write = async (action: string, share: number) => {
  const state = { x: 'x'.repeat((STATES_MAX_CHARS * share) / 2) };
  const { id } = await writeAudit(ctx, {
    action,
    target: RULE_ID,
    ...(TENANT as object),
    before: state,
    after: state,
  });
  return id;
};
const pageOf = async (query: string) => {
  const answer = await world.operator('GET', `/audit?${query}`);
  return { ids: answer.json().map(({ id }: { id: string }) => id), next: answer.headers['x-next'] };
};

// proves operating/audit-pages
describe('GET /operator/v1/audit', () => {
  it('200: ends a page early if its states are large, and says where the next one begins', async () => {
    const ids: string[] = [];
    for (const share of [0.1, 0.3, 0.3, 0.3]) ids.unshift(String(await write('large', share)));
    const first = await pageOf('action=large&limit=10');
    assert.deepEqual(first.ids, ids.slice(0, 3));
    const second = await pageOf(`action=large&limit=10&page=${first.next}`);
    assert.deepEqual(second, { ids: ids.slice(3), next: undefined });
  });

  it('200: puts a line that is too large for any page on its own page', async () => {
    const ids = [await write('huge', 0.01), await write('huge', 1.1)].map(String).reverse();
    const first = await pageOf('action=huge');
    assert.deepEqual(first.ids, ids.slice(0, 1));
    assert.deepEqual(await pageOf(`action=huge&page=${first.next}`), { ids: ids.slice(1), next: undefined });
  });

  it('200: names a next page only if there is one', async () => {
    for (let n = 0; n < 3; n++) await write('small', 0);
    const first = await pageOf('action=small&limit=2');
    assert.deepEqual([first.ids.length, typeof first.next], [2, 'string']);
    assert.deepEqual([(await pageOf('action=small&limit=3')).next], [undefined]);
  });
});

describe('the versions of a rule', () => {
  it('end a page early if they are large, and the last one says whether more follow', async () => {
    for (const share of [0.1, 0.3, 0.3, 0.3]) await write('overwriteRule', share);
    const page = { before: undefined, limit: 10 };
    const first = await listRuleVersions(ctx, TENANT, RULE_ID, page);
    assert.deepEqual([first.length, first.at(-1)?.isFollowed], [3, true]);
    const before = BigInt(first.at(-1)!.id);
    const second = await listRuleVersions(ctx, TENANT, RULE_ID, { ...page, before });
    assert.deepEqual([second.length, second.at(-1)?.isFollowed], [1, false]);
  });
});
