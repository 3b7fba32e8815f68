import { appendFileSync, readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Mutant } from './mutants.ts';

/** Which mutants a test file would have run, as a line in a file that all processes share. */
export interface Covered {
  readonly testFile: string;
  readonly ms: number;
  readonly nths: readonly number[];
}

interface Ranges {
  readonly ranges: readonly {
    readonly startOffset: number;
    readonly endOffset: number;
    readonly count: number;
  }[];
}

/** Code at the top of a module runs once in a process, before any file of tests: it counts where anything of the module ran. */
function isRun(functions: readonly Ranges[], { from, to }: Mutant): boolean {
  const holds = ({ startOffset, endOffset }: Ranges['ranges'][number]) =>
    startOffset <= from && to <= endOffset;
  const [whole, ...others] = functions;
  const around = others.filter(({ ranges }) => holds(ranges[0]!));
  if (around.length === 0)
    return [whole, ...others].some((each) => each?.ranges.some(({ count }) => count > 0));
  const innermost = around.flatMap(({ ranges }) => ranges.filter(holds)).at(-1)!;
  return innermost.count > 0;
}

/** Notes after each file of tests what it ran, if the run wants to know that. */
export async function openCoverage(): Promise<
  { note(testFile: string, ms: number): Promise<void> } | undefined
> {
  const folder = process.env['TEST_COVERED'];
  if (folder === undefined) return undefined;
  const mutants: readonly Mutant[] = JSON.parse(readFileSync(`${folder}/mutants.json`, 'utf8'));
  const urls = mutants.map(({ file }) => pathToFileURL(resolve(file)).href);
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  return {
    async note(testFile, ms) {
      const { result } = await session.post('Profiler.takePreciseCoverage');
      const scripts = new Map(result.map(({ url, functions }) => [url, functions]));
      const nths = mutants.flatMap((mutant, nth) =>
        isRun(scripts.get(urls[nth]!) ?? [], mutant) ? [nth] : [],
      );
      const covered: Covered = { testFile, ms, nths };
      appendFileSync(`${folder}/covered.jsonl`, `${JSON.stringify(covered)}\n`);
    },
  };
}
