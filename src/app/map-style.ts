import { resolve } from 'node:path';
import type { StaticSite } from '../platform/http/static-files.ts';

const STREETS_PATH = '/map/streets.pmtiles';

interface MapSite {
  /** What the page is told: an address, a path, or nothing. */
  readonly written: string;
  readonly site: Pick<StaticSite, 'origin' | 'file'>;
}

/** Where the map's street detail comes from, and what that opens. */
export function openMapStyle(setting: string | undefined): MapSite {
  if (setting === undefined) return { written: '', site: {} };
  if (/^https?:/.test(setting)) return { written: setting, site: { origin: new URL(setting).origin } };
  return { written: STREETS_PATH, site: { file: { path: STREETS_PATH, at: resolve(setting) } } };
}
