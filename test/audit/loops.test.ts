import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { code, pathOf } from './code-files.ts';
import { LOOPS, WAITS } from './timers.ts';

const textOf = (file: string) => readFileSync(pathOf(file), 'utf8');
const TIMER = /\b(?:setTimeout|setInterval|sleep)\(/;
const NAMED = /\.loop\(\s*'([^']+)'/g;

describe('the recurring work of a process', () => {
  it('is known: every file with a timer either waits once, or reports its passes to the health check', () => {
    const withTimers = code.filter((file) => TIMER.test(textOf(file)));
    assert.deepEqual(withTimers.sort(), [...WAITS, ...Object.keys(LOOPS)].sort());
    for (const file of Object.keys(LOOPS)) assert.match(textOf(file), /\.failed\b/, file);
    // The check of the parent process cannot fail.
    for (const file of WAITS.filter((each) => each !== 'main.ts'))
      assert.doesNotMatch(textOf(file), /\bsetInterval\(/, `${file} repeats`);
  });

  it('has exactly the listed names', () => {
    const named = code.flatMap((file) => [...textOf(file).matchAll(NAMED)].map(([, name]) => name!));
    assert.deepEqual(named.sort(), Object.values(LOOPS).flat().sort());
  });
});
