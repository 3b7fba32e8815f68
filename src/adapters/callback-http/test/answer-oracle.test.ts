import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { after, describe, it } from 'node:test';
import { setImmediate as nextTick } from 'node:timers/promises';
import fc from 'fast-check';
import { AnswerParser } from '../answer-parser.ts';

interface Answered {
  readonly status: number;
  readonly body: string;
}
/** Undefined if an answer was refused or is incomplete. */
type Outcome = Answered | undefined;

function parse(bytes: Buffer, cuts: readonly number[]): Outcome {
  const parser = new AnswerParser();
  const pieces: Buffer[] = [];
  let status = 0;
  parser.begin({
    onHead(given) {
      status = given;
    },
    onBody: (piece) => void pieces.push(Buffer.from(piece)),
  });
  try {
    for (const [n, from] of [0, ...cuts].entries()) {
      const part = bytes.subarray(from, cuts[n] ?? bytes.length);
      // Longer than the data, like the buffer of a socket.
      parser.feed(Buffer.concat([part, Buffer.from('\r\n\r\n')]), part.length);
    }
  } catch {
    return undefined;
  }
  return parser.close() ? { status, body: Buffer.concat(pieces).toString('latin1') } : undefined;
}

let sent: { readonly bytes: Buffer; readonly cuts: readonly number[] };
const server = createServer(async (socket) => {
  socket.on('error', () => {});
  await once(socket, 'data');
  const { bytes, cuts } = sent;
  for (const [n, from] of [0, ...cuts].entries()) {
    socket.write(bytes.subarray(from, cuts[n] ?? bytes.length));
    await nextTick();
  }
  socket.end();
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
after(() => server.close());
const { port } = server.address() as AddressInfo;

/** The result of the runtime's own client. */
const ask = (bytes: Buffer, cuts: readonly number[]): Promise<Outcome> =>
  new Promise((resolve) => {
    sent = { bytes, cuts };
    const call = request({ port, host: '127.0.0.1', method: 'POST', agent: false }, (answer) => {
      const pieces: Buffer[] = [];
      answer.on('data', (piece: Buffer) => pieces.push(piece));
      answer.on('error', () => resolve(undefined));
      answer.on('end', () =>
        resolve(
          answer.complete
            ? { status: answer.statusCode ?? 0, body: Buffer.concat(pieces).toString('latin1') }
            : undefined,
        ),
      );
    });
    call.on('error', () => resolve(undefined));
    call.end('{}');
  });

const words = fc.string({ unit: fc.constantFrom(...'abc \r\n:0\xff'), maxLength: 40 });
const status = fc.constantFrom(200, 201, 204, 302, 304, 400, 429, 500, 503);
const field = fc
  .tuple(
    fc.constantFrom('X-A', 'Server', 'Content-Type', 'Keep-Alive', 'Connection'),
    fc.constantFrom('x', 'a, b', 'close', 'keep-alive', 'timeout=5'),
  )
  .map(([name, value]) => `${name}: ${value}\r\n`);
const chunked = (parts: readonly string[]): string =>
  [...parts.filter((part) => part !== ''), '']
    .map((part) => `${part.length.toString(16)}${part.length % 2 ? ';x=y' : ''}\r\n${part}\r\n`)
    .join('');
const framed = fc.oneof(
  words.map((body) => [`Content-Length: ${body.length}\r\n`, body] as const),
  fc
    .array(words, { maxLength: 4 })
    .map((parts) => ['Transfer-Encoding: chunked\r\n', chunked(parts)] as const),
  words.map((body) => ['', body] as const),
);
const answers = fc
  .record({ status, fields: fc.array(field, { maxLength: 3 }), framed, isContinued: fc.boolean() })
  .map(({ status: code, fields, framed: [head, body], isContinued }) =>
    Buffer.from(
      `${isContinued ? 'HTTP/1.1 100 Continue\r\n\r\n' : ''}HTTP/1.1 ${code} Some words\r\n${fields.join('')}${head}\r\n${
        code === 204 || code === 304 ? '' : body
      }`,
      'latin1',
    ),
  );
const cutsOf = (bytes: Buffer, seeds: readonly number[]): readonly number[] =>
  [...new Set(seeds.map((seed) => seed % bytes.length))].sort((a, b) => a - b);
const seeds = fc.array(fc.nat(2_000), { maxLength: 5 });

describe('the answer of a listener', () => {
  it("is parsed as by the runtime's own client, however it is cut into pieces", () =>
    fc.assert(
      fc.asyncProperty(answers, seeds, async (bytes, places) => {
        const cuts = cutsOf(bytes, places);
        const expected = await ask(bytes, cuts);
        assert.ok(expected !== undefined, bytes.toString('latin1'));
        assert.deepEqual(parse(bytes, cuts), expected);
      }),
      { numRuns: 150 },
    ));

  it('is never mistaken for another one if a byte is wrong: both parsers agree, or one refuses it', () =>
    fc.assert(
      fc.asyncProperty(
        answers,
        seeds,
        fc.nat(2_000),
        fc.constantFrom(...Buffer.from(' \r\n:;0a\0,')),
        async (bytes, places, place, byte) => {
          const wrong = Buffer.from(bytes);
          wrong[place % wrong.length] = byte;
          const [ours, theirs] = [parse(wrong, cutsOf(wrong, places)), await ask(wrong, [])];
          if (ours !== undefined && theirs !== undefined) assert.deepEqual(ours, theirs);
        },
      ),
      { numRuns: 150 },
    ));
});
