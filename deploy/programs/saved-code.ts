import { closeSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { deserialize, getHeapCodeStatistics, serialize } from 'node:v8';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';

interface Saved {
  /** Of the whole process when it saved this, in bytes: it grows with each function that is compiled. */
  readonly bytecode: number;
  readonly codes: ReadonlyMap<string, Code>;
}

interface Code {
  /** The checksum of its source. */
  readonly source: number;
  readonly compiled: Uint8Array;
}

export interface SavedCode {
  /** The file as a function (exports, require, module, __filename, __dirname), with the compiled code of earlier runs. */
  compile(file: string): Script;
  /** Does nothing unless this process has compiled much that is not saved yet. */
  save(): void;
}

const NOTHING: Saved = { bytecode: 0, codes: new Map() };
const CHECKSUM_BYTES = 4;
/** To save takes time at the end of a process. */
const MUCH_MORE = 1.05;
/** Later, V8 has dropped functions that have not run for a while, such as those of the start. */
const COMPLETE_S = 600;

/** Damaged code must not run, and V8 does not check it. */
function read(path: string): Saved {
  try {
    const file = readFileSync(path);
    const content = file.subarray(CHECKSUM_BYTES);
    return crc32(content) === file.readUInt32LE() ? (deserialize(content) as Saved) : NOTHING;
  } catch {
    return NOTHING;
  }
}

/**
 * In one step, because other processes may read or write the file at the same time. A failure changes nothing: the code is
 * only saved to be faster. Opens the file first, because nothing needs to be collected where nothing can be written.
 */
function write(path: string, collect: () => Saved): void {
  const draft = `${path}.${process.pid}-${process.hrtime.bigint()}`;
  try {
    const file = openSync(draft, 'wx', 0o600);
    try {
      const content = serialize(collect());
      const checksum = Buffer.alloc(CHECKSUM_BYTES);
      checksum.writeUInt32LE(crc32(content));
      writeFileSync(file, Buffer.concat([checksum, content]));
    } finally {
      closeSync(file);
    }
    renameSync(draft, path);
  } catch {
    rmSync(draft, { force: true });
  }
}

/**
 * The cache of Node keeps only what is compiled when a file is loaded, which leaves out nearly all functions: V8 compiles
 * them at their first call. This one is saved at the end of a process, with all functions that ran. The files of the
 * program are named relative to `folder`, so that copies of a program share it.
 */
export function openSavedCode(path: string, folder: string): SavedCode {
  const saved = read(path);
  const scripts = new Map<string, { script: Script; source: number }>();
  let isMissing = false;
  return {
    compile(file) {
      const bytes = readFileSync(file);
      const source = crc32(bytes);
      const name = relative(folder, file);
      const known = saved.codes.get(name);
      const cachedData = known?.source === source ? known.compiled : undefined;
      const wrapped = `(function (exports, require, module, __filename, __dirname) {\n${bytes.toString()}\n})`;
      // Errors name the lines of the file.
      const script = new Script(wrapped, { filename: file, lineOffset: -1, cachedData });
      isMissing ||= cachedData === undefined || script.cachedDataRejected === true;
      scripts.set(name, { script, source });
      return script;
    },
    save() {
      const isComplete = process.uptime() < COMPLETE_S;
      if (!isComplete && saved.codes.size > 0) return;
      const bytecode = getHeapCodeStatistics().bytecode_and_metadata_size;
      if (!isMissing && bytecode < saved.bytecode * MUCH_MORE) return;
      write(path, () => {
        const codes = new Map(saved.codes);
        for (const [name, { script, source }] of scripts)
          codes.set(name, { source, compiled: script.createCachedData() });
        // The next short run adds the rest.
        return { bytecode: isComplete ? bytecode : 0, codes };
      });
    },
  };
}
