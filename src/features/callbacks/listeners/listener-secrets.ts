import { randomBytes } from 'node:crypto';
import type { SecretBox } from '../../../platform/crypto/secret-box.ts';

const SECRET_BYTES = 24;

/** The form that Standard Webhooks gives a signing secret. */
export const newWebhookSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;

/** Binds a sealed text to its listener and its column: moved elsewhere, it does not open. */
export const sealContext = (
  { accountName, serviceName }: { accountName: string; serviceName: string },
  part: 'username' | 'password' | 'secret',
): string => `listener ${accountName} ${serviceName} ${part}`;

/** Credentials that nobody can read must not be sent to a host for which nobody gave them. */
export const isAnotherHost = (url: string, known: string | null | undefined): boolean =>
  known == null || new URL(url).origin !== new URL(known).origin;

/** Sealing the same text twice gives two results; only opening both tells. What no longer opens equals nothing. */
export function isSameSealed(secrets: SecretBox, one: string, other: string, context: string): boolean {
  try {
    return secrets.open(one, context) === secrets.open(other, context);
  } catch {
    return false;
  }
}
