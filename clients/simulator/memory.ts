import { readFile, rename, writeFile } from 'node:fs/promises';

/** The stored state of a simulator; everything else follows from the seed. */
export interface Memory {
  /** Time until which everything was sent and answered. */
  last: string | undefined;
  /** Devices that it has put out of coverage; other offline devices were switched off by a user. */
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
    // Without a valid state it starts at the present; repeated records count once.
    return { last: undefined, offline: [] };
  }
}

/** Written atomically, so that readers always find a complete file. */
export async function saveMemory(file: string, memory: Memory): Promise<void> {
  await writeFile(`${file}.new`, JSON.stringify(memory), { mode: 0o600 });
  await rename(`${file}.new`, file);
}
