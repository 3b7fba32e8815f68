import { readFileSync, writeFileSync } from 'node:fs';
import { type OpenApiDocument, writeRoutes } from './write-routes.ts';

/** Types only: a checkout runs without the file, and only its type check and your editor need it. */
const document = JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8'));
writeFileSync(new URL('../routes.ts', import.meta.url), writeRoutes(document as OpenApiDocument));
