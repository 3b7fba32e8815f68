import { fuzzArea } from './support/fuzz-area.ts';

await fuzzArea(/^\/(fota|loc|subsc|dm)\//);
