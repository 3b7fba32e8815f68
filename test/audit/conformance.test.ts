import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { conformanceText, PAGE } from '../conformance/document.ts';
import { decisions, requirementsIn, sections } from '../conformance/requirements.ts';
import { collectTags, proofsIn, wrongTags } from '../conformance/tags.ts';

const tags = collectTags();

describe('what the interface requires, and what the notes on it decide', () => {
  it('has names that are there once', () => {
    const ids = requirementsIn([...sections, ...decisions]).map(({ id }) => id);
    assert.ok(requirementsIn(sections).length >= 337 && requirementsIn(decisions).length >= 300);
    assert.deepEqual(
      ids.filter((id, index) => ids.indexOf(id) !== index),
      [],
    );
  });

  it('is proven by a test each', () =>
    assert.deepEqual(
      [...proofsIn(tags)].filter(([, proofs]) => proofs.length === 0).map(([id]) => id),
      [],
    ));

  it('is what tags name, each directly above a test', () => assert.deepEqual(wrongTags(tags), []));

  it('is in docs/conformance.md as it was proven', () =>
    assert.equal(
      readFileSync(PAGE, 'utf8'),
      conformanceText(tags, () => 'passed'),
    ));
});
