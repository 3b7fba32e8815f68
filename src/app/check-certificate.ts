import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { ConfigError, type Settings } from '../platform/config/settings.ts';

function read(setting: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new ConfigError(`${setting} cannot be read: ${(error as Error).message}.`);
  }
}

/** Runs before the start, so that a wrong file is reported without waiting for the database. */
export function checkCertificate(tls: Settings['tls']): void {
  if (tls === undefined) return;
  const cert = read('LINEKEEPER_TLS_CERT', tls.certFile);
  const key = read('LINEKEEPER_TLS_KEY', tls.keyFile);
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    throw new ConfigError(
      `LINEKEEPER_TLS_CERT and LINEKEEPER_TLS_KEY are not a certificate with its key: ${(error as Error).message}.`,
    );
  }
}
