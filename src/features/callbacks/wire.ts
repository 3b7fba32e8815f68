import type { SecretBox } from '../../platform/crypto/secret-box.ts';
import { LISTENER_SERVICES, type ListenerService } from '../callback-payloads/index.ts';
import { sealContext } from './listeners/listener-secrets.ts';
import type { ListenerRow } from './listeners/sql-listener.ts';
import type { WireListener } from './schemas.ts';

const bySpelling = new Map<string, ListenerService>(
  LISTENER_SERVICES.map((name) => [name.toLowerCase(), name]),
);

/** Accepts any letter case; undefined for reserved and unknown service names. */
export const fromWireService = (text: string): ListenerService | undefined =>
  bySpelling.get(text.toLowerCase());

export const bothNames = (accountName: string, serviceName: string) => ({
  accountName,
  serviceName,
  aname: accountName,
  name: serviceName,
});

/** For the owner only: the interface shows username and password as they will be sent. */
export function toWireListener(listener: ListenerRow, secrets: SecretBox): WireListener {
  const open = (sealed: string, part: 'username' | 'password') =>
    secrets.open(sealed, sealContext(listener, part));
  const { usernameSealed, passwordSealed } = listener;
  return {
    ...bothNames(listener.accountName, listener.serviceName),
    url: listener.url ?? 'undefined',
    ...(usernameSealed !== null && { username: open(usernameSealed, 'username') }),
    ...(passwordSealed !== null && { password: open(passwordSealed, 'password') }),
  };
}
