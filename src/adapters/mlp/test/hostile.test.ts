import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import { describe, it, type TestContext } from 'node:test';
import fc from 'fast-check';
import { SourceRefused, type Target } from '../../../features/locations/index.ts';
import { readSlia } from '../immediate.ts';
import { createMlp } from '../index.ts';
import { BadDocument } from '../xml.ts';

const NOW = new Date('2026-11-17T12:00:00Z');
const target: Target = {
  ecpdId: '9000001' as Target['ecpdId'],
  accountName: '0000123456-00001' as Target['accountName'],
  deviceId: 'device',
  imei: null,
  meid: null,
  esn: null,
  mdn: null,
  msisdn: '15551230001',
};
const slia = (inside: string) => `<svc_result ver="3.2.0"><slia ver="3.2.0">${inside}</slia></svc_result>`;

async function ask(t: TestContext, answer: (response: ServerResponse) => void, timeoutMs = 30_000) {
  const server = createServer((request, response) => {
    request.resume();
    response.on('error', () => undefined);
    answer(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const source = createMlp(
    { name: 'g', url: `http://127.0.0.1:${port}/`, client: 'c', timeoutMs },
    () => NOW,
  );
  t.after(async () => {
    await source.close();
    server.closeAllConnections();
    server.close();
  });
  const signal = new AbortController().signal;
  return source.locate([target], { accuracy: 'coarse', timeLimitMs: 60_000, signal });
}

describe('a location server that answers', () => {
  it('with growing entities does not cause their expansion, and the position next to them is read', () => {
    const entities = Array.from(
      { length: 30 },
      (_, n) => `<!ENTITY e${n + 1} "${`&e${n};`.repeat(10)}">`,
    ).join('');
    const bomb = `<?xml version="1.0"?><!DOCTYPE svc_result [<!ENTITY e0 "boom">${entities}]>`;
    const said = slia('<pos><msid>1</msid><poserr><result resid="4">&e30;</result></poserr></pos>');
    const read = readSlia(bomb + said, () => NOW);
    assert.ok('answers' in read);
    assert.deepEqual(read.answers.get('1'), { failure: { type: 'UNKNOWN SUBSCRIBER' } });
  });

  it('with something other than an answer does no harm', () => {
    const deep = '<a>'.repeat(100_000);
    const all = [
      '',
      '{}',
      '<',
      '<svc_result>',
      '<gem/>',
      deep,
      '<!DOCTYPE x [',
      '<!DOCTYPE a><!DOCTYPE b><c/>',
      '<__proto__><slia/></__proto__>',
      '<svc_result><constructor><prototype><slia>1</slia></prototype></constructor></svc_result>',
    ];
    for (const text of all) assert.throws(() => readSlia(text, () => NOW), BadDocument, text.slice(0, 60));
    assert.equal(({} as { slia?: unknown }).slia, undefined);
  });

  it('with any part of an answer, cut or changed, does no harm', () => {
    const whole = slia(
      '<pos><msid>1</msid><pd><time utc_off="+0000">20261117120000</time><shape><CircularArea><coord><X>1N</X><Y>2E</Y></coord><radius>3</radius></CircularArea></shape></pd></pos>',
    );
    fc.assert(
      fc.property(
        fc.nat({ max: whole.length }),
        fc.nat({ max: whole.length }),
        fc.string({ maxLength: 5 }),
        (a, b, put) => {
          const text = whole.slice(0, Math.min(a, b)) + put + whole.slice(Math.max(a, b));
          try {
            readSlia(text, () => NOW);
          } catch (error) {
            assert.ok(error instanceof BadDocument, String(error));
          }
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('without the line, or about another one, gives no position for it', async (t) => {
    const answers = await ask(t, (response) =>
      response.end(slia('<pos><msid>999</msid><poserr><result resid="4">X</result></poserr></pos>')),
    );
    assert.equal(answers.size, 0);
  });

  it('endlessly, slowly or never counts as not reached', async (t) => {
    await assert.rejects(
      ask(t, (response) => {
        const pour = () => {
          while (!response.destroyed && response.write(' '.repeat(65_536)));
          response.once('drain', pour);
        };
        pour();
      }),
    );
    await assert.rejects(ask(t, (response) => void response.write('<svc_result>'), 200));
    await assert.rejects(ask(t, () => undefined, 200));
    await assert.rejects(ask(t, (response) => response.destroy()));
  });

  it('with nonsense counts as not reached, and with a refusal as refusing', async (t) => {
    await assert.rejects(
      ask(t, (response) => response.end('hello')),
      /cannot be read/,
    );
    await assert.rejects(
      ask(t, (response) => response.writeHead(500).end()),
      /answered 500/,
    );
    await assert.rejects(
      ask(t, (response) => response.writeHead(404).end('<gem/>')),
      SourceRefused,
    );
  });
});
