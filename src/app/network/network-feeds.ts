import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import type { KnownFeed } from '../../features/network-feeds/index.ts';
import { type FolderFeed, type Mapping, parseMapping } from '../../features/usage-files/index.ts';
import type { NetworkSettings } from '../../platform/config/network-schema.ts';
import { ConfigError, type Settings } from '../../platform/config/settings.ts';

function readMapping(path: string): Mapping {
  const refuse = (problem: string): never => {
    throw new ConfigError(`LINEKEEPER_NETWORK: the mapping ${path} cannot be used: ${problem}.`);
  };
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    return refuse(`it cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refuse('it is not valid JSON');
  }
  const parsed = parseMapping(value);
  return 'problem' in parsed ? refuse(parsed.problem) : parsed.mapping;
}

function requireFolder(name: string, folder: string): void {
  const refuse = (problem: string): never => {
    throw new ConfigError(`LINEKEEPER_NETWORK: the folder ${folder} of the feed ${name} ${problem}.`);
  };
  try {
    if (!statSync(folder).isDirectory()) refuse('is no folder');
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    refuse(code === 'ENOENT' ? 'does not exist' : `cannot be used (${code})`);
  }
}

/**
 * The folders in the network file with their mappings, for processes that take files: others may be where the folders are
 * not. A folder that disappears later is reported by its feed.
 */
export const openFolders = ({ network, role }: Pick<Settings, 'network' | 'role'>): readonly FolderFeed[] =>
  (role === 'api' ? [] : (network?.feeds.files ?? [])).map(({ name, folder, mapping, source }) => {
    requireFolder(name, folder);
    return { name, folder, mapping: readMapping(mapping), source };
  });

/** The names of feeds for the operator API, in every process. */
export const knownFeeds = (network: NetworkSettings | undefined): readonly KnownFeed[] => [
  ...(network?.feeds.radius === undefined
    ? []
    : [{ name: network.feeds.radius.name, kind: 'radius' } as const]),
  ...(network?.feeds.files ?? []).map(({ name, folder }) => ({ name, kind: 'files', folder }) as const),
];
