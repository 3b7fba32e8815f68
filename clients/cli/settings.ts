import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { wrongUsage } from './failure.ts';

export interface GlobalOptions {
  readonly url?: string;
  readonly key?: string;
  readonly json?: boolean;
  /** Seconds. */
  readonly timeout?: number;
}

const DEFAULT_URL = 'http://127.0.0.1:8080/api';

const dataDir = (): string => process.env['LINEKEEPER_DATA_DIR']?.trim() || '.linekeeper';

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw wrongUsage(`${file} cannot be read: ${message}`);
  }
}

/** What a sandbox service writes into its data folder while it runs. */
function findAnnouncedUrl(): string | undefined {
  const file = join(dataDir(), 'service.json');
  const text = readIfThere(file);
  if (text === undefined) return undefined;
  try {
    const { url } = JSON.parse(text) as { url?: unknown };
    if (typeof url === 'string') return url;
  } catch {}
  throw wrongUsage(`${file} does not name a service; give --url`);
}

/** Base URL without a slash at its end. */
export function findUrl({ url }: GlobalOptions): URL {
  const given = url?.trim() || findAnnouncedUrl() || DEFAULT_URL;
  const parsed = URL.parse(given);
  if (parsed === null || !/^https?:$/.test(parsed.protocol))
    throw wrongUsage(`${given} is no http or https URL`);
  if (parsed.username || parsed.password || parsed.search || parsed.hash)
    throw wrongUsage(
      'The URL of the service is an address and a path only, for example http://127.0.0.1:8080/api',
    );
  parsed.pathname = parsed.pathname.replace(/\/+$/, '');
  return parsed;
}

export function findKey({ key }: GlobalOptions): string {
  const file = join(dataDir(), 'operator-key');
  const found = key?.trim() || readIfThere(file)?.trim();
  if (!found)
    throw wrongUsage(`No operator key: set LINEKEEPER_OPERATOR_KEY or give --key (there is no ${file})`);
  if (!/^[\x21-\x7e]+$/.test(found)) throw wrongUsage('The operator key has characters that no key has');
  return found;
}
