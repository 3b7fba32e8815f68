import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AnswerParser } from '../answer-parser.ts';

/** The result of parsing consecutive pieces. */
function parse(pieces: readonly string[], isClosed = false) {
  const parser = new AnswerParser();
  let [status, body] = [0, ''];
  parser.begin({
    onHead: (code) => (status = code),
    onBody: (piece) => (body += piece.toString('latin1')),
  });
  for (const piece of pieces) {
    const bytes = Buffer.from(`${piece}left from before`, 'latin1');
    parser.feed(bytes, piece.length);
  }
  if (isClosed) parser.close();
  const { isDone, keepsOpen, idleSeconds } = parser;
  return { status, body, isDone, keepsOpen, idleSeconds };
}

/** The text in one piece, byte by byte, and cut in two at every position. */
const cuts = (text: string): string[][] => [
  [text],
  [...text],
  ...Array.from({ length: text.length - 1 }, (_, at) => [text.slice(0, at + 1), text.slice(at + 1)]),
];

const whole = (status: number, body: string, keepsOpen: boolean, idleSeconds?: number) => ({
  ...{ status, body, isDone: true, keepsOpen, idleSeconds },
});

const ANSWERS: readonly [text: string, ReturnType<typeof whole>][] = [
  ['HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc', whole(200, 'abc', true)],
  ['HTTP/1.1 200\r\ncontent-length:0 \r\n\r\n', whole(200, '', true)],
  ['HTTP/1.1 200 OK\r\nKeep-Alive: timeout=5, max=9\r\nContent-Length: 0\r\n\r\n', whole(200, '', true, 5)],
  ['HTTP/1.1 200 OK\r\nConnection: x, Close\r\nContent-Length: 1\r\n\r\na', whole(200, 'a', false)],
  ['HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\na', whole(200, 'a', false)],
  ['HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 1\r\n\r\na', whole(200, 'a', true)],
  ['HTTP/1.1 204 No Content\r\n\r\n', whole(204, '', true)],
  ['HTTP/1.1 304 Not Modified\r\nContent-Length: 70\r\n\r\n', whole(304, '', true)],
  [
    'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: a\r\n\r\nHTTP/1.1 500 No\r\nContent-Length: 1\r\n\r\nb',
    whole(500, 'b', true),
  ],
  [
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\nTransfer-Encoding: Chunked\r\n\r\n3\r\nabc\r\nA;x="y"\r\n0123456789\r\n0\r\nx-sum: 1\r\n\r\n',
    whole(200, 'abc0123456789', true),
  ],
];

describe('parsing an answer', () => {
  it('an answer is the same wherever the network cuts it', () => {
    for (const [text, expected] of ANSWERS)
      for (const pieces of cuts(text)) assert.deepEqual(parse(pieces), expected, JSON.stringify(pieces));
  });

  it('only an answer without a stated end lasts until the connection closes', () => {
    for (const head of ['HTTP/1.1 200 OK\r\n\r\n', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n']) {
      assert.equal(parse([`${head}ab`]).isDone, false);
      assert.deepEqual(parse([`${head}ab`, 'c'], true), whole(200, 'abc', false));
    }
    for (const text of ['', 'HTTP/1.1 200 OK\r\nA: b', 'HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nab'])
      assert.equal(parse([text], true).isDone, false, text);
  });

  it('a connection with data after the answer is not used again', () => {
    const { status, body, keepsOpen } = parse([
      'HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\naHTTP/1.1 200 OK',
    ]);
    assert.deepEqual({ status, body, keepsOpen }, { status: 200, body: 'a', keepsOpen: false });
  });

  it('input that is not HTTP/1, or is ambiguous, is refused', () => {
    const head = 'HTTP/1.1 200 OK\r\n';
    for (const text of [
      'SSH-2.0-OpenSSH\r\n',
      'HTTP/2 200\r\n\r\n',
      'HTTP/1.1 20 OK\r\n\r\n',
      'HTTP/1.1 099 OK\r\n\r\n',
      'HTTP/1.1 200 OK\n',
      'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\n\r\n',
      `${head}Content-Length: 1\r\nContent-Length: 1\r\n\r\na`,
      `${head}Content-Length: 1, 1\r\n\r\na`,
      `${head}Content-Length: -1\r\n\r\n`,
      `${head}Content-Length: 0x1\r\n\r\na`,
      `${head}Content-Length: ${'9'.repeat(16)}\r\n\r\n`,
      `${head}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n`,
      `${head}Content-Length : 1\r\n\r\na`,
      `${head} folded: 1\r\n\r\n`,
      `${head}A: b\nContent-Length: 1\r\n\r\na`,
      `${head}A: b\rContent-Length: 1\r\n\r\na`,
      `${head}no field\r\n\r\n`,
      `${head}Transfer-Encoding: chunked\r\n\r\n1\na\r\n`,
      `${head}Transfer-Encoding: chunked\r\n\r\n1\r\nab`.concat('\r\n'),
      `${head}Transfer-Encoding: chunked\r\n\r\n-1\r\n`,
      `${head}Transfer-Encoding: chunked\r\n\r\n${'0'.repeat(2_000)}`,
      `${head}Transfer-Encoding: chunked\r\n\r\n0\r\nno field\r\n\r\n`,
      `${head}Transfer-Encoding: chunked\r\n\r\n0\r\n${'a: b\r\n'.repeat(4_000)}`,
      `${head}x: ${'y'.repeat(17_000)}`,
      'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1_000),
    ])
      for (const pieces of [[text], [...text]])
        assert.throws(() => parse(pieces), { message: 'protocol error' }, text.slice(0, 80));
  });
});
