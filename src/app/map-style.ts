import { closeSync, openSync, readSync } from 'node:fs';
import { resolve } from 'node:path';
import { ConfigError } from '../platform/config/settings.ts';
import type { StaticSite } from '../platform/http/static-files.ts';

const STREETS_PATH = '/map/streets.pmtiles';
/** What every PMTiles file of version 3 begins with. */
const BEGINNING = 'PMTiles\u0003';

function beginningOf(file: string): string {
  try {
    const opened = openSync(file, 'r');
    try {
      const bytes = Buffer.alloc(BEGINNING.length);
      readSync(opened, bytes);
      return bytes.toString('latin1');
    } finally {
      closeSync(opened);
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError(`LINEKEEPER_MAP_STYLE names the file ${file}, which cannot be read: ${code}.`);
  }
}

interface MapSite {
  /** What the page is told: an address, a path, or nothing. */
  readonly written: string;
  readonly site: Pick<StaticSite, 'origin' | 'file'>;
}

/** Where the map's street detail comes from, and what that opens. A file that is none is told at the start, not in a browser. */
export function openMapStyle(setting: string | undefined): MapSite {
  if (setting === undefined) return { written: '', site: {} };
  if (/^https?:/.test(setting)) return { written: setting, site: { origin: new URL(setting).origin } };
  const at = resolve(setting);
  if (beginningOf(at) !== BEGINNING)
    throw new ConfigError(
      `LINEKEEPER_MAP_STYLE names the file ${at}, which is no PMTiles file of version 3.`,
    );
  return { written: STREETS_PATH, site: { file: { path: STREETS_PATH, at } } };
}
