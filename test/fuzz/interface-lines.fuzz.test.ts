import { fuzzArea } from './support/fuzz-area.ts';

await fuzzArea(/^\/(ts|m2m|v2)\//);
