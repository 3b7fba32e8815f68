import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { generated } from '../support/generated.ts';

/** `npm run generate` sets this: then the files are written instead of compared. */
const WRITE = process.env['WRITE_GENERATED'] === 'on';

describe('generated files', () => {
  for (const [file, make] of Object.entries(generated)) {
    it(`${file} is what the code makes of it; npm run generate writes it anew`, async () => {
      const text = await make();
      if (WRITE) writeFileSync(file, text);
      assert.equal(readFileSync(file, 'utf8'), text);
    });
  }
});
