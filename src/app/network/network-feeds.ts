import { readFileSync } from 'node:fs';
import type { KnownFeed } from '../../features/network-feeds/index.ts';
import { type FolderFeed, type Mapping, parseMapping } from '../../features/usage-files/index.ts';
import type { NetworkSettings } from '../../platform/config/network-schema.ts';
import { ConfigError } from '../../platform/config/settings.ts';

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

/** The folders in the network file with their mappings. A missing folder is reported when the feed scans for files. */
export const openFolders = (network: NetworkSettings | undefined): readonly FolderFeed[] =>
  (network?.feeds.files ?? []).map(({ name, folder, mapping, source }) => ({
    name,
    folder,
    mapping: readMapping(mapping),
    source,
  }));

/** The names of feeds for the operator API, in every process. */
export const knownFeeds = (network: NetworkSettings | undefined): readonly KnownFeed[] => [
  ...(network?.feeds.radius === undefined
    ? []
    : [{ name: network.feeds.radius.name, kind: 'radius' } as const]),
  ...(network?.feeds.files ?? []).map(({ name, folder }) => ({ name, kind: 'files', folder }) as const),
];
