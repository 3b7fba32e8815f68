import { ADDRESS_MARK, hideInAddresses, isSecretName, SECRET } from '../../platform/telemetry/secrets.ts';
import type { Call } from './call.ts';
import { hideMembers } from './hide-members.ts';

const HIDDEN = '[hidden]';
export const WITHHELD = '[withheld]';

const POSITION_NAME = /^(pd|position|lat|lon|latitudes?|longitudes?)$/;

/** A quick test, because most bodies have no such member. A name may contain escapes. */
const SUSPECT = new RegExp(
  String.raw`${SECRET}|auth|pin|pwd|${ADDRESS_MARK}|:\\*/|"pd"|"position"|"lat|"lon|\\u`,
  'i',
);

/** Its answer has a secret in the member `key`, a name that other answers use for harmless values. */
const MAKES_KEY = 'operatorCreateKey';
/** Their answers contain positions of devices. Consent is checked when the log is read. */
const LOCATES: ReadonlySet<string | null> = new Set(['locateDevices', 'readLocationReport']);

export const locates = (operation: string | null): boolean => LOCATES.has(operation);

/** Their answers show what was sent to a listener and what it sent back, as text that may contain positions. */
const SHOWS_BODIES: ReadonlySet<string | null> = new Set([
  'listDeliveries',
  'readDelivery',
  'readDeliveryAttempt',
  'operatorListCallbacks',
]);

const hidePositions = (text: string, operation: string | null): string =>
  hideMembers(
    text,
    (name) => POSITION_NAME.test(name) || (SHOWS_BODIES.has(operation) && /^(body|headers)$/.test(name)),
    WITHHELD,
  );

/** Somebody may have typed a password as the name. A name that was accepted is none. */
const TYPED_NAME: Readonly<Record<string, string>> = {
  logIn: 'username',
  issueToken: 'client_id',
  issueTokenAtRoot: 'client_id',
  revokeToken: 'client_id',
};

/** The storable form of a body. Keeps positions only for operations that locate, where each read checks consent. */
export function hideSecrets(
  text: string,
  { operation, status }: Pick<Call, 'operation' | 'status'>,
  mayLocate: boolean,
): string {
  const makesKey = operation === MAKES_KEY;
  const typed = status === null || status >= 400 ? TYPED_NAME[operation ?? ''] : undefined;
  if (!makesKey && typed === undefined && !SHOWS_BODIES.has(operation) && !SUSPECT.test(text)) return text;
  const isSecret = (name: string) => isSecretName(name) || (makesKey && name === 'key') || name === typed;
  const safe = hideMembers(text, isSecret, HIDDEN, (value) => hideInAddresses(value, HIDDEN));
  return mayLocate && locates(operation) ? safe : hidePositions(safe, operation);
}

/** The path of a call, with secrets in its segments and its query hidden. */
export function hideSecretsInPath(path: string): string {
  const [, segments = '', query = ''] = /^([^?]*)(.*)$/s.exec(path) ?? [];
  const given = [...new URLSearchParams(query)];
  const safe = given.map(([name, value]) => [
    name,
    isSecretName(name) ? HIDDEN : hideInAddresses(value, HIDDEN),
  ]) as [string, string][];
  const isSame = safe.every(([, value], n) => value === given[n]![1]);
  return `${hideInAddresses(segments, HIDDEN)}${isSame ? query : `?${new URLSearchParams(safe)}`}`;
}
