import { registerHooks } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Mutant } from './mutants.ts';

/** Loaded before a test process starts: one file of the service is loaded with a mistake in it. */
const { file, from, to, becomes } = JSON.parse(process.env['TEST_MUTANT']!) as Mutant;
const wrong = pathToFileURL(resolve(file)).href;

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (url !== wrong) return loaded;
    const text = String(loaded.source);
    return { ...loaded, source: text.slice(0, from) + becomes + text.slice(to) };
  },
});
