import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { SendPace } from './send-pace.ts';

/** Wants to send this many messages, and sends whenever it may. */
function makeSender(pace: SendPace, wanted: number) {
  let sent = 0;
  const send = () => {
    while (sent < wanted && pace.admits(send)) sent++;
  };
  return { send, sent: () => sent };
}

describe('the pace of sending', () => {
  it('sends a few messages per iteration of the event loop, and all in the end', async () => {
    const pace = new SendPace();
    const sender = makeSender(pace, 100);
    sender.send();
    const counts = [sender.sent()];
    while (sender.sent() < 100) {
      await nextTurn();
      counts.push(sender.sent());
    }
    assert.deepEqual(counts, [32, 64, 96, 100]);
  });

  it('lets every one of many senders send', async () => {
    const pace = new SendPace();
    const senders = Array.from({ length: 50 }, () => makeSender(pace, 4));
    for (const { send } of senders) send();
    for (let iterations = 0; senders.some(({ sent }) => sent() < 4); iterations++) {
      assert.ok(iterations < 10);
      await nextTurn();
    }
  });
});
