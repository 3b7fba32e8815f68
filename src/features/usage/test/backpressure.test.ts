import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { OPERATOR_KEY } from '../../../../test/support/world.ts';
import { sql } from '../../../platform/db/sql.ts';
import { makeFeedWorld, ndjson, record } from './feed.ts';

const world = await makeFeedWorld();
const url = await world.api.listen({ host: '127.0.0.1', port: 0 });

const RECORDS_PER_PART = 500;
const FILLER = 'x'.repeat(2_000);
/** 66 MB. */
const PARTS = Array.from({ length: 60 }, () =>
  Buffer.from(`${ndjson(Array.from({ length: RECORDS_PER_PART }, () => record({ filler: FILLER })))}\n`),
);

describe('a feed that is faster than the database', () => {
  it('makes its sender wait instead of filling memory', async () => {
    const call = request(`${url}/api/operator/v1/usage`, {
      method: 'POST',
      headers: { authorization: `Bearer ${OPERATOR_KEY}` },
    });
    const answered = once(call, 'response');
    let sent = 0;
    const sending = (async () => {
      for (; sent < PARTS.length; sent++) if (!call.write(PARTS[sent])) await once(call, 'drain');
      call.end();
    })();
    let sentWhileStuck = 0;
    await world.ctx.db.tx(async (db) => {
      await db.exec(sql`lock table usage_record in exclusive mode`);
      // Until no more is accepted.
      for (let before = -1; before !== sentWhileStuck; ) {
        before = sentWhileStuck;
        await sleep(500);
        sentWhileStuck = sent;
      }
    });
    const [response] = await answered;
    let text = '';
    for await (const piece of response.setEncoding('utf8')) text += piece;
    await sending;
    assert.equal(JSON.parse(text).accepted, PARTS.length * RECORDS_PER_PART);
    // Three batches of 4 MiB, one in each state, and the socket buffers.
    assert.ok(sentWhileStuck < PARTS.length / 2, `${sentWhileStuck} of ${PARTS.length} parts were sent`);
  });
});
