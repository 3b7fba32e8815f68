import { relative } from 'node:path';
import { BROWSER_PROCESS, SHARED_PROCESS } from './queue.ts';

interface Completed {
  readonly name: string;
  readonly file?: string;
  readonly nesting: number;
  readonly details: { readonly duration_ms: number };
}

/** They run other files, which are what takes the time. */
const RUNNERS = [SHARED_PROCESS, BROWSER_PROCESS];
const SHOWN = 10;
/** A file of `npm test` that takes longer is a defect: everybody waits for it on every change. */
const TOO_SLOW_S = 15;

/** Where the time of a run goes: how long each file took, the slowest first. */
export function slowestFiles() {
  const seconds = new Map<string, number>();
  return {
    note({ name, file, nesting, details }: Completed): void {
      if (file === undefined || nesting > 0 || RUNNERS.includes(name)) return;
      const path = RUNNERS.includes(file) ? name : relative(process.cwd(), file);
      // A file with a process of its own is reported after its tests, with all of their time in its own.
      seconds.set(path, Math.max(seconds.get(path) ?? 0, details.duration_ms / 1_000));
    },
    table(namesDefects: boolean): string {
      const slowest = [...seconds].sort(([, a], [, b]) => b - a).slice(0, SHOWN);
      const lines = slowest.map(([path, s]) => {
        const defect = namesDefects && s > TOO_SLOW_S ? `  takes over ${TOO_SLOW_S} s: a defect` : '';
        return `${s.toFixed(1).padStart(7)} s  ${path}${defect}`;
      });
      return `slowest files\n${lines.join('\n')}\n`;
    },
  };
}
