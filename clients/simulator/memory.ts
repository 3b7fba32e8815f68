import { readFile, rename, writeFile } from 'node:fs/promises';

/** All that a simulator must know of what it did before: everything else follows from the seed. */
export interface Memory {
  /** Until when everything was sent and answered. */
  last: string | undefined;
  /** Whom it has put out of coverage: others who are offline were switched off by somebody. */
  offline: string[];
}

export async function readMemory(file: string): Promise<Memory> {
  try {
    const { last, offline } = JSON.parse(await readFile(file, 'utf8')) as Partial<Memory>;
    const known = typeof last === 'string' && Number.isFinite(Date.parse(last)) ? last : undefined;
    return {
      last: known,
      offline: Array.isArray(offline) ? offline.filter((id) => typeof id === 'string') : [],
    };
  } catch {
    // Without a memory, or with half of one, it begins at the present; what it sends again is counted once.
    return { last: undefined, offline: [] };
  }
}

/** Whole or not at all: a reader never finds half of it. */
export async function saveMemory(file: string, memory: Memory): Promise<void> {
  await writeFile(`${file}.new`, JSON.stringify(memory), { mode: 0o600 });
  await rename(`${file}.new`, file);
}
