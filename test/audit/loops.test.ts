import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { code, pathOf } from './code-files.ts';
import { LOOPS, WAITS } from './timers.ts';

const textOf = (file: string) => readFileSync(pathOf(file), 'utf8');
const TIMER = /\b(?:setTimeout|setInterval|sleep)\(/;
const NAMED = /\.loop\(\s*'([^']+)'/g;

describe('what a process does by itself', () => {
  it('is known: every file with a timer either waits once, or tells health how its passes end', () => {
    const withTimers = code.filter((file) => TIMER.test(textOf(file)));
    assert.deepEqual(withTimers.sort(), [...WAITS, ...Object.keys(LOOPS)].sort());
    for (const file of Object.keys(LOOPS)) assert.match(textOf(file), /\.failed\b/, file);
    // Whether the parent lives is known without anything that could fail.
    for (const file of WAITS.filter((each) => each !== 'main.ts'))
      assert.doesNotMatch(textOf(file), /\bsetInterval\(/, `${file} repeats`);
  });

  it('has the names that are listed, and no others', () => {
    const named = code.flatMap((file) => [...textOf(file).matchAll(NAMED)].map(([, name]) => name!));
    assert.deepEqual(named.sort(), Object.values(LOOPS).flat().sort());
  });
});
