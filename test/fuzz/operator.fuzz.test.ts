import { fuzzArea } from './support/fuzz-area.ts';

await fuzzArea(/^\/operator\//);
