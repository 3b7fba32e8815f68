import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ECPD, makeScene } from '../../../../test/support/callback-scene.ts';
import { ACCOUNT } from '../../../../test/support/fleet.ts';
import type { AccountName, EcpdId } from '../../../kernel/account-name.ts';
import { findDeliveryMark } from '../index.ts';

describe('the mark of the callbacks of an account', () => {
  it('changes after every posted and every delivered callback, even on a stopped clock', async () => {
    const { ctx, delivery, post } = await makeScene();
    const tenant = { ecpdId: ECPD as EcpdId, accountName: ACCOUNT as AccountName };
    const marks = [await findDeliveryMark(ctx.db, tenant)];
    for (let n = 0; n < 3; n++) {
      await post({ n }, `r-${n}`);
      await delivery.settle();
      marks.push(await findDeliveryMark(ctx.db, tenant));
    }
    assert.equal(new Set(marks).size, 4, marks.join('\n'));
    assert.equal(await findDeliveryMark(ctx.db, tenant), marks.at(-1));
  });
});
