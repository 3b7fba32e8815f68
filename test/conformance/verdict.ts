import { readFileSync, writeFileSync } from 'node:fs';
import { conformanceText, proofs, type ResultOf } from './document.ts';

export const PAGE = 'docs/conformance.md';

/** After a run of all tests that prove something: what stands against the page, or the page itself. */
export function judge(resultOf: ResultOf, write: boolean): string[] {
  const text = conformanceText(resultOf);
  if (write) writeFileSync(PAGE, text);
  const unmet = proofs.flatMap((proof) => {
    const result = resultOf(proof);
    return result === 'passed' ? [] : [`${proof.file}: "${proof.test}" has ${result ?? 'not run'}`];
  });
  if (unmet.length > 0) return [...new Set(unmet)];
  return readFileSync(PAGE, 'utf8') === text ? [] : [`${PAGE} is not current; npm run conformance writes it`];
}
