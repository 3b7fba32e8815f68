import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { wrongUsage } from './failure.ts';
import type { Surroundings } from './surroundings.ts';

/** A service with credentials: of its operator, of a user, or both. */
export interface Profile {
  readonly url: string;
  readonly operatorKey?: string;
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly username?: string;
  readonly password?: string;
  /** Set if the service has another prefix than SVC. */
  readonly sessionHeader?: string;
}

export type Profiles = Readonly<Record<string, Profile>>;

/** The profile used when nothing else names a service. */
export const DEFAULT_PROFILE = 'default';

export function profilesFile({ cwd, env }: Surroundings): string {
  const { LINEKEEPER_CONFIG_DIR: own, XDG_CONFIG_HOME: xdg, APPDATA: windows } = env;
  return resolve(
    cwd,
    own || join(xdg || windows || join(homedir(), '.config'), 'linekeeper'),
    'profiles.json',
  );
}

export function readProfiles(around: Surroundings): Profiles {
  const file = profilesFile(around);
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Profiles;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return {};
    throw wrongUsage(`Cannot read ${file}: ${message}`);
  }
}

/** Writes a temporary file and renames it, so that concurrent writers leave a complete file that only its owner may read. */
export function writeProfiles(around: Surroundings, profiles: Profiles): void {
  const file = profilesFile(around);
  const temporary = `${file}.${process.pid}.part`;
  try {
    mkdirSync(join(file, '..'), { recursive: true, mode: 0o700 });
    writeFileSync(temporary, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600 });
    // The mode above applies only to new files.
    chmodSync(temporary, 0o600);
    renameSync(temporary, file);
  } catch (error) {
    throw wrongUsage(`Cannot write ${file}: ${(error as Error).message}`);
  }
}

export function findProfile(around: Surroundings, name: string): Profile {
  const profiles = readProfiles(around);
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (profile !== undefined) return profile;
  const known = Object.keys(profiles).join(', ') || 'none yet';
  throw wrongUsage(`There is no profile ${name} (known: ${known}); linekeeper login ${name} creates it`);
}
