import { resolve } from 'node:path';
import type { StaticSite } from '../platform/http/static-files.ts';

const STREETS_PATH = '/map/streets.pmtiles';

interface MapSite {
  /** The value for the page: an address, a path, or nothing. */
  readonly written: string;
  readonly site: Pick<StaticSite, 'origin' | 'file'>;
}

/** The source of the map's streets, and the content security policy that it needs. */
export function openMapStyle(setting: string | undefined): MapSite {
  if (setting === undefined) return { written: '', site: {} };
  if (/^https?:/.test(setting)) return { written: setting, site: { origin: new URL(setting).origin } };
  return { written: STREETS_PATH, site: { file: { path: STREETS_PATH, at: resolve(setting) } } };
}
