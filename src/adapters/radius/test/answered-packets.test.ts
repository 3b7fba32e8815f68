import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { rememberPackets } from '../answered-packets.ts';

describe('recent packets', () => {
  it('are remembered for 30 seconds with their answer, whatever arrives after them, and forgotten within 60', () => {
    let nowMs = 0;
    const packets = rememberPackets(() => nowMs);
    const answer = Buffer.from('answer');
    const sentMs: number[] = [];
    for (let n = 0; nowMs < 200_000; n++, nowMs += 250) {
      sentMs.push(nowMs);
      assert.equal(packets.see(String(n)), 'new');
      packets.answered(String(n), answer);
      const young = sentMs.findIndex((ms) => ms > nowMs - 30_000);
      assert.equal(packets.see(String(young)), answer);
    }
    nowMs += 30_000;
    packets.see('later');
    nowMs += 30_000;
    assert.equal(packets.see(String(sentMs.length - 1)), 'new');
  });

  it('have no answer while they are processed, and are new again if processing failed', () => {
    const packets = rememberPackets();
    assert.equal(packets.see('one'), 'new');
    assert.equal(packets.see('one'), undefined);
    packets.forget('one');
    assert.equal(packets.see('one'), 'new');
  });

  it('are forgotten sooner when very many arrive, so that they never fill the memory', () => {
    const packets = rememberPackets(() => 0);
    for (let n = 0; n < 100_000; n++) packets.see(String(n));
    assert.equal(packets.see('0'), 'new');
    assert.equal(packets.see('99999'), undefined);
  });
});
