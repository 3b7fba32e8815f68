import { writeFileSync } from 'node:fs';
import type { EventData } from 'node:test';

const LIST = 'test/citus/passed.txt';

/** Which of the files passed, and which failed. */
export function collectPassed(files: readonly string[], pathOf: (file: string | undefined) => string) {
  const passed = new Set<string>();
  const failed = new Set<string>();
  const fileOf = ({ name, file }: { readonly name: string; readonly file?: string | undefined }) =>
    files.find((each) => each === name || each === pathOf(file));
  return {
    pass: (event: EventData.TestPass) => void passed.add(fileOf(event) ?? ''),
    fail: (event: EventData.TestFail) => void failed.add(fileOf(event) ?? ''),
    failed: () => files.filter((file) => failed.has(file)),
    write(others: readonly string[]) {
      const own = files.filter((file) => passed.has(file) && !failed.has(file));
      const lines = [...own, ...others].sort();
      writeFileSync(LIST, `${lines.join('\n')}\n`);
    },
  };
}
