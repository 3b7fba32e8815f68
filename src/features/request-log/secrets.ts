import { hideMembers } from './hide-members.ts';

const HIDDEN = '[hidden]';
export const WITHHELD = '[withheld]';

/** Members whose values are never kept, in bodies and in query strings. */
const SECRET_NAME = /passw|secret|token|authori[sz]ation|cookie|private_?key|(operator|api)_?key/i;
const POSITION_NAME = /^(pd|position|lat|lon|latitudes?|longitudes?)$/;

/** Most bodies have none of them. A name may also be written with escapes. */
const SUSPECT =
  /passw|secret|token|authori[sz]ation|cookie|private_?key|(operator|api)_?key|"pd"|"position"|"lat|"lon|\\u/i;

/** Its answer has a key under a name that others use for anything. */
const MAKES_KEY = 'operatorCreateKey';
/** Their answers have positions of devices, which are withheld when they are read. */
const LOCATES: ReadonlySet<string | null> = new Set(['locateDevices', 'readLocationReport']);

export const locates = (operation: string | null): boolean => LOCATES.has(operation);

const hidePositions = (text: string): string =>
  hideMembers(text, (name) => POSITION_NAME.test(name), WITHHELD);

/** What may be kept of a body. Positions may where `locates`: whoever reads them is asked for consent. */
export function hideSecrets(text: string, operation: string | null, mayLocate: boolean): string {
  const makesKey = operation === MAKES_KEY;
  if (!makesKey && !SUSPECT.test(text)) return text;
  const isSecret = (name: string) => SECRET_NAME.test(name) || (makesKey && name === 'key');
  const safe = hideMembers(text, isSecret, HIDDEN);
  return mayLocate && locates(operation) ? safe : hidePositions(safe);
}

/** A path as it was called, without what is secret in its query. */
export function hideSecretsInPath(path: string): string {
  const at = path.indexOf('?');
  if (at < 0 || !/%|passw|secret|token|auth|cookie|key/i.test(path.slice(at))) return path;
  const query = new URLSearchParams(path.slice(at + 1));
  for (const name of new Set(query.keys())) if (SECRET_NAME.test(name)) query.set(name, HIDDEN);
  return `${path.slice(0, at)}?${query}`;
}
