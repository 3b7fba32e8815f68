import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createLog } from './log.ts';
import { readableLog } from './readable-log.ts';

function open({ coloured = false, columns = 80 } = {}) {
  let text = '';
  const out = {
    columns,
    write: (part: string) => {
      text += part;
    },
  };
  const readable = readableLog(out, coloured);
  return { readable, log: createLog('info', readable), text: () => text };
}

describe('a log for people', () => {
  it('has the time, the level, the words and the fields, no wider than the terminal', () => {
    const { log, text } = open({ columns: 50 });
    log.info({ devices: 200, accounts: 5, plans: 'some and others' }, 'demo fleet loaded');
    assert.match(text(), /^\d\d:\d\d:\d\d info {2}demo fleet loaded {2}devices=200 acc…\n$/);
  });

  it('has a short line for each request', () => {
    const { log, text } = open();
    log.info(
      { reqId: 'x', method: 'GET', route: '/api/a', status: 200, ms: 1.5, operator: 'first' },
      'answered',
    );
    assert.match(text(), / info {2}GET \/api\/a 200 1\.5 ms\n$/);
  });

  it('has an error with its message and its stack', () => {
    const { log, text } = open();
    log.error({ err: new Error('broken\x1b[2J') }, 'background failure');
    assert.match(text(), / error background failure: broken.*\n {4}at /);
    assert.ok(!text().includes('\x1b'));
  });

  it('has colours if they are allowed', () => {
    const { log, text } = open({ coloured: true });
    log.warn('careful');
    assert.ok(text().includes('\x1b[33mwarn \x1b[0m careful'));
  });

  it('has only warnings and errors once it is set to quiet', () => {
    const { log, readable, text } = open();
    readable.quiet = true;
    log.info('nothing');
    log.warn('careful');
    assert.match(text(), /^\S+ warn {2}careful\n$/);
  });
});
