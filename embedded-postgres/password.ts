import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Binaries } from './binaries.ts';
import type { ClusterPlace } from './cluster-location.ts';
import { EmbeddedPostgresError, programError } from './errors.ts';
import { readIfThere, writeFileInOneStep } from './files.ts';
import { runProgram } from './run-program.ts';

export const superuser = 'linekeeper';

export interface Password {
  readonly value: string;
  readonly isStored: boolean;
}

export function passwordFile(dataDir: string): string {
  return join(dataDir, 'postgres-password');
}

export async function choosePassword(dataDir: string, given: string | undefined): Promise<Password> {
  const stored = (await readIfThere(passwordFile(dataDir)))?.trim() || undefined;
  const value = given ?? stored ?? randomBytes(24).toString('base64url');
  // A line break would end the command or the file line that carries the password to PostgreSQL.
  if (value === '' || value.trim() !== value || /\p{Cc}/u.test(value)) {
    throw new EmbeddedPostgresError(
      'The database password must not be empty, begin or end with a space, or hold control characters.',
    );
  }
  return { value, isStored: value === stored };
}

export async function storePassword(dataDir: string, password: Password): Promise<void> {
  if (!password.isStored) await writeFileInOneStep(passwordFile(dataDir), `${password.value}\n`, 0o600);
}

/**
 * Single-user mode asks for no password, so that a lost password file does not lock the owner out of the
 * data.
 */
export async function changePassword(
  place: ClusterPlace,
  binaries: Binaries,
  password: Password,
): Promise<void> {
  const literal = `'${password.value.replaceAll("'", "''")}'`;
  const result = await runProgram(binaries.postgres, ['--single', '-D', place.clusterDir, 'postgres'], {
    user: place.user,
    timeoutMs: 120_000,
    input: `ALTER ROLE ${superuser} PASSWORD ${literal}\n`,
  });
  // A failed command does not show in the exit code of single-user mode.
  const failed = result.code !== 0 || result.lines.some((line) => /\b(ERROR|FATAL|PANIC): /.test(line));
  if (failed) throw programError('PostgreSQL could not set the database password.', result.lines);
}
