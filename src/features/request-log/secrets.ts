import { hideMembers } from './hide-members.ts';

const HIDDEN = '[hidden]';
export const WITHHELD = '[withheld]';

/** Members of bodies and query strings whose values are never stored. */
const SECRET_NAME = /passw|secret|token|authori[sz]ation|cookie|private_?key|(operator|api)_?key/i;
const POSITION_NAME = /^(pd|position|lat|lon|latitudes?|longitudes?)$/;

/** A quick test, because most bodies have no such member. A name may contain escapes. */
const SUSPECT =
  /passw|secret|token|authori[sz]ation|cookie|private_?key|(operator|api)_?key|"pd"|"position"|"lat|"lon|\\u/i;

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

/** The storable form of a body. Keeps positions only for operations that locate, where each read checks consent. */
export function hideSecrets(text: string, operation: string | null, mayLocate: boolean): string {
  const makesKey = operation === MAKES_KEY;
  if (!makesKey && !SHOWS_BODIES.has(operation) && !SUSPECT.test(text)) return text;
  const isSecret = (name: string) => SECRET_NAME.test(name) || (makesKey && name === 'key');
  const safe = hideMembers(text, isSecret, HIDDEN);
  return mayLocate && locates(operation) ? safe : hidePositions(safe, operation);
}

/** The path of a call, with secrets in its query hidden. */
export function hideSecretsInPath(path: string): string {
  const at = path.indexOf('?');
  if (at < 0 || !/%|passw|secret|token|auth|cookie|key/i.test(path.slice(at))) return path;
  const query = new URLSearchParams(path.slice(at + 1));
  for (const name of new Set(query.keys())) if (SECRET_NAME.test(name)) query.set(name, HIDDEN);
  return `${path.slice(0, at)}?${query}`;
}
