// Runs many command lines one after the other in one process, which is much faster than a process each.
// argv[2] is a JSON array of argument lists; what each printed and how it ended goes to stdout as JSON.

import { LinekeeperError } from '../../sdk/index.ts';
import { Failure, failureOf } from '../failure.ts';
import { buildProgram } from '../program.ts';

const write = process.stdout.write.bind(process.stdout);
const runs: { out: string; error: string | undefined }[] = [];
for (const args of JSON.parse(process.argv[2]!) as string[][]) {
  let out = '';
  process.stdout.write = (text: string | Uint8Array) => {
    out += String(text);
    return true;
  };
  const error = await buildProgram()
    .parseAsync(args, { from: 'user' })
    .then(
      () => undefined,
      (thrown: unknown) => {
        const told = thrown instanceof LinekeeperError ? failureOf(thrown) : thrown;
        return told instanceof Failure ? `${told.reason}: ${told.message}` : String(told);
      },
    );
  runs.push({ out, error });
}
write(JSON.stringify(runs));
process.exit(0);
