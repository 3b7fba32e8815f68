import { relative } from 'node:path';

interface Completed {
  readonly file?: string;
  readonly nesting: number;
  readonly details: { readonly duration_ms: number };
}

const SHOWN = 10;

/** Where the time of a run goes: how long each file took, the slowest first. */
export function slowestFiles() {
  const seconds = new Map<string, number>();
  return {
    note({ file, nesting, details }: Completed): void {
      if (file === undefined || nesting > 0) return;
      // The file itself is reported after its tests, with all of their time in its own.
      seconds.set(file, Math.max(seconds.get(file) ?? 0, details.duration_ms / 1_000));
    },
    table(): string {
      const slowest = [...seconds].sort(([, a], [, b]) => b - a).slice(0, SHOWN);
      const lines = slowest.map(
        ([file, s]) => `${s.toFixed(1).padStart(7)} s  ${relative(process.cwd(), file)}`,
      );
      return `slowest files\n${lines.join('\n')}\n`;
    },
  };
}
