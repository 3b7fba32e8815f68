import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { ACCOUNT, SMALL_FLEET, STRANGER } from '../../../../test/support/fleet.ts';
import { makeWorld, START } from '../../../../test/support/world.ts';
import type { AccountName, EcpdId } from '../../../kernel/account-name.ts';
import { findFiringMark, recordFirings } from '../index.ts';

const world = await makeWorld();
await world.import(SMALL_FLEET);
const OWN = { ecpdId: '9000001' as EcpdId, accountName: ACCOUNT as AccountName };

const fire = (firingId: string, secondsBefore = 0) =>
  recordFirings(world.ctx, OWN.ecpdId, [
    {
      ...{ firingId, triggerId: randomUUID(), kind: 'pricePlan', accountName: ACCOUNT, subject: 'a device' },
      ...{ levelKind: 'percent', level: 50, before: 0, after: 60, threshold: 50, usageRecordId: null },
      ...{ cycle: { from: START, to: new Date(START.getTime() + 86_400_000) }, ruleVersion: 1, late: false },
      firedAt: new Date(START.getTime() - secondsBefore * 1_000),
    },
  ]);

const MIDDLE = '77777777-7777-4777-8777-777777777777';

describe('the mark of firings', () => {
  it('changes with each firing, even one of the same time with a lower id, or of an earlier time', async () => {
    const marks = [await findFiringMark(world.ctx.db, OWN)];
    const fireAndMark = async (...firing: Parameters<typeof fire>) => {
      await fire(...firing);
      marks.push(await findFiringMark(world.ctx.db, OWN));
    };
    await fireAndMark(MIDDLE);
    await fireAndMark(MIDDLE.replace('7', '1'));
    await fireAndMark(MIDDLE.replace('7', 'f'));
    await fireAndMark(MIDDLE.replace('7', '2'), 20);
    assert.equal(new Set(marks).size, 5);
    assert.equal(await findFiringMark(world.ctx.db, OWN), marks.at(-1));
  });

  it('of an account does not change with firings of other accounts', async () => {
    const other = { ecpdId: '9000009' as EcpdId, accountName: STRANGER as AccountName };
    const before = await findFiringMark(world.ctx.db, other);
    await fire(randomUUID());
    assert.equal(await findFiringMark(world.ctx.db, other), before);
  });
});
