import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { conformanceText, proofs, provingFiles, rows } from '../conformance/document.ts';
import { isMeant, type Proof } from '../conformance/row.ts';
import { asPattern, textsOf } from './test-names.ts';

const texts = new Map([...provingFiles].filter(existsSync).map((file) => [file, textsOf(file)]));

const isThere = (proof: Proof): boolean =>
  (texts.get(proof.file) ?? []).some((text) =>
    text.includes('${') ? asPattern(text).test(proof.test) : isMeant(proof, text),
  );

describe('the rows of the interface', () => {
  it('are each proven by tests that are there', () =>
    assert.deepEqual(
      proofs.filter((proof) => !isThere(proof)),
      [],
    ));

  it('have each a test', () =>
    assert.deepEqual(
      rows.filter((row) => row.proofs.length === 0).map(({ subject }) => subject),
      [],
    ));

  it('are those of docs/conformance.md, which says that all tests passed', () =>
    assert.equal(
      readFileSync('docs/conformance.md', 'utf8'),
      conformanceText(() => 'passed'),
    ));
});
