import { readFileSync, writeFileSync } from 'node:fs';
import { writePayloads } from './write-payloads.ts';
import { writeRoutes } from './write-routes.ts';

const here = (path: string) => new URL(path, import.meta.url);
const read = (document: string) => JSON.parse(readFileSync(here(`../../../${document}`), 'utf8'));

/** These files contain only types, so a checkout runs without them; type checks and editors need them. */
writeFileSync(here('../routes.ts'), writeRoutes(read('openapi.json')));
writeFileSync(here('../payloads.ts'), writePayloads(read('asyncapi.json')));
