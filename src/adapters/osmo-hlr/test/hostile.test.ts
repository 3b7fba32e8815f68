import assert from 'node:assert/strict';
import { createServer, type Socket } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import type { LineOrder } from '../../../features/network/index.ts';
import { FrameReader, writeFrame } from '../frames.ts';
import { createOsmoHlr } from '../index.ts';

const signal = new AbortController().signal;
const IMSI = '001010000000001';
const order = (imsi = IMSI): LineOrder => ({
  ...{ orderId: 'o', sequence: 1, accountName: 'a', imsi, wanted: 'suspended' },
});
/** An order with a number, for which the register is asked for its current number. */
const numbered = (): LineOrder => ({ ...order(), wanted: 'active', msisdn: '15550001' });
const ON = '\nid\t1\nnam_cs\t1\nnam_ps\t1';

type Answer = (socket: Socket, kind: string, id: string, variable: string) => void;

/** A server that accepts connections like a register, but with its own answers. */
async function scene(
  t: TestContext,
  answer: Answer,
  tuning: { answerMs?: number; abandonMs?: number; unreadMax?: number } = {},
) {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    const reader = new FrameReader();
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      for (const text of reader.read(chunk)) {
        const [kind = '', id = '', variable = ''] = text.split(' ');
        answer(socket, kind, id, variable);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const limits = { answerMs: 5_000, unreadMax: 0, ...tuning };
  const element = createOsmoHlr({ name: 'r', address: `127.0.0.1:${port}`, ...limits });
  t.after(async () => {
    await element.close();
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { element, sockets };
}

/** Answers like a register that has the line in service. */
const honest: Answer = (socket, kind, id, variable) =>
  void socket.write(writeFrame(`${kind}_REPLY ${id} ${variable} ${kind === 'GET' ? ON : 'OK'}`));

async function failureOf(
  t: TestContext,
  answer: Answer,
  { ordered = order(), ...tuning }: { ordered?: LineOrder; answerMs?: number } = {},
): Promise<string> {
  const { element } = await scene(t, answer, tuning);
  const [outcome] = await element.carryOut([ordered], signal);
  assert.equal(outcome?.outcome, 'failed');
  return (outcome as { reason: string }).reason;
}

describe('a register that answers', () => {
  it('correctly, in pieces and with traps in between, is understood', async (t) => {
    const { element } = await scene(t, (socket, kind, id, variable) => {
      const text = `${kind}_REPLY ${id} ${variable} ${kind === 'GET' ? ON : 'OK'}`;
      const stream = Buffer.concat([writeFrame('TRAP 0 x 1'), writeFrame(text), writeFrame('TRAP 0 y 2')]);
      for (const octet of stream) socket.write(Buffer.from([octet]));
    });
    assert.deepEqual(await element.carryOut([order(), order()], signal), [
      { outcome: 'done' },
      { outcome: 'done' },
    ]);
  });

  it('half a frame and then nothing fails the order', async (t) =>
    assert.match(
      await failureOf(t, (socket) => void socket.write(Buffer.from('00ffee00', 'hex')), { answerMs: 100 }),
      /did not answer within 100 ms/,
    ));

  it('half a frame and then the end fails the order', async (t) =>
    assert.match(await failureOf(t, (socket) => void socket.end(Buffer.from('00ffee00', 'hex'))), /closed/));

  it('to an unknown id fails the order', async (t) =>
    assert.match(
      await failureOf(t, (socket) => void socket.write(writeFrame('GET_REPLY 77 x y'))),
      /answered an unknown command: GET_REPLY 77 x y/,
    ));

  it('about another line fails the order', async (t) =>
    assert.match(
      await failureOf(
        t,
        (socket, _, id) => void socket.write(writeFrame(`GET_REPLY ${id} subscriber.by-imsi-9.info ${ON}`)),
      ),
      /answered about subscriber.by-imsi-9.info when asked for/,
    ));

  it('something that is not an answer fails the order, with a printable reason', async (t) => {
    const reason = await failureOf(
      t,
      (socket) => void socket.write(writeFrame(`\u0000\u001b[2J${'x'.repeat(5_000)}`)),
    );
    assert.match(reason, /^the register sent nonsense: \[2Jx+$/);
    assert.ok(reason.length < 300);
  });

  it('a line without its services fails the order', async (t) =>
    assert.match(
      await failureOf(
        t,
        (socket, _, id, variable) =>
          void socket.write(writeFrame(`GET_REPLY ${id} ${variable} \nnam_cs\tmaybe`)),
        { ordered: numbered() },
      ),
      /did not say whether the line is in service/,
    ));

  it('with endless unsolicited messages fails the order', async (t) => {
    const flood = Buffer.concat(Array<Buffer>(1_000).fill(writeFrame('TRAP 0 flood 1')));
    const reason = await failureOf(t, (socket) => {
      const pour = () => {
        while (!socket.destroyed && socket.write(flood));
        socket.once('drain', pour);
      };
      pour();
    });
    assert.match(reason, /keeps sending unsolicited messages|did not answer/);
  });

  it('all but one command fails only that order', async (t) => {
    const silent = `subscriber.by-imsi-${IMSI}.ps-enabled`;
    const { element } = await scene(
      t,
      (socket, kind, id, variable) => {
        if (variable !== silent) honest(socket, kind, id, variable);
      },
      { answerMs: 200 },
    );
    const others = Array.from({ length: 20 }, (_, n) => order(`0010100000001${String(n).padStart(2, '0')}`));
    const outcomes = await element.carryOut([order(), ...others], signal);
    assert.deepEqual(
      outcomes.map(({ outcome }) => outcome),
      ['failed', ...others.map(() => 'done')],
    );
  });

  it('nothing to the first questions fails the orders, which are done once it answers', async (t) => {
    const held: (() => void)[] = [];
    let isSilent = true;
    const { element } = await scene(
      t,
      (...asked) => {
        if (isSilent) held.push(() => honest(...asked));
        else honest(...asked);
      },
      { answerMs: 100, unreadMax: 3 },
    );
    const [first] = await element.carryOut([order()], signal);
    assert.deepEqual(first, { outcome: 'failed', reason: 'the register does not answer' });
    const [second] = await element.carryOut([order()], signal);
    assert.deepEqual(second, { outcome: 'failed', reason: 'the register does not answer' });
    assert.equal(held.length, 1);
    isSilent = false;
    for (const answer of held) answer();
    const until = performance.now() + 30_000;
    const isDone = async () => (await element.carryOut([order()], signal))[0]?.outcome === 'done';
    // An order that is refused at once leaves no time for an answer to arrive.
    while (!(await isDone())) {
      assert.ok(performance.now() < until);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  });

  it('nothing for a long time is replaced by a new connection', async (t) => {
    const seen: Socket[] = [];
    const answer: Answer = (socket, ...asked) => {
      if (!seen.includes(socket)) seen.push(socket);
      if (socket !== seen[0]) honest(socket, ...asked);
    };
    const { element, sockets } = await scene(t, answer, { answerMs: 50, abandonMs: 100 });
    assert.equal((await element.carryOut([order()], signal))[0]?.outcome, 'failed');
    const until = performance.now() + 30_000;
    const isDone = async () => (await element.carryOut([order()], signal))[0]?.outcome === 'done';
    // On a slow machine even a correct answer may arrive too late.
    while (!(await isDone())) assert.ok(performance.now() < until);
    assert.ok(sockets.length > 1);
  });

  it('after the call was stopped is ignored: the call ended at once, and nothing more was sent', async (t) => {
    const asked: string[] = [];
    const { element, sockets } = await scene(
      t,
      (_, kind, _id, variable) => void asked.push(`${kind} ${variable}`),
    );
    const stopping = new AbortController();
    const outcomes = element.carryOut([numbered()], stopping.signal);
    const until = performance.now() + 30_000;
    while (asked.length === 0 && performance.now() < until)
      await new Promise((resolve) => setImmediate(resolve));
    stopping.abort();
    assert.deepEqual(await outcomes, [{ outcome: 'failed', reason: 'stopped' }]);
    honest(sockets[0]!, 'GET', '1', `subscriber.by-imsi-${IMSI}.info`);
    // Answered on the same connection, after the late answer.
    const [truth] = await Promise.all([
      element.read!([{ imsi: '001010000000002' }], signal),
      (async () => {
        while (asked.length < 2 && performance.now() < until)
          await new Promise((resolve) => setImmediate(resolve));
        honest(sockets[0]!, 'GET', '2', 'subscriber.by-imsi-001010000000002.info');
      })(),
    ]);
    assert.deepEqual(truth, [{ state: 'active', msisdn: null }]);
    assert.deepEqual(asked.length, 2);
  });
});
