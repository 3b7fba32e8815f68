/** The one rule of what is a secret, for the log of the service, the log of requests and the audit log. */
export const SECRET =
  'passw|passphrase|passcode|secret|token|authori[sz]ation|cookie|signature|credential|private[_-]?key|(?:operator|api)[_-]?key';

/** Words that are secret alone or as a word of a name, as in `userPwd` or `auth_code`, but not in `author` or `shipping`. */
const WORD =
  /(?<![A-Za-z])(?:auth|pin|pwd|pass)(?![a-z])|(?<![A-Z])(?:Auth|Pin|Pwd|Pass)(?![a-z])|(?<![A-Za-z])(?:AUTH|PIN|PWD|PASS)(?![A-Za-z])/;
const ANYWHERE = new RegExp(SECRET, 'i');

export const isSecretName = (name: string): boolean => ANYWHERE.test(name) || WORD.test(name);

/** A name of this kind in text. A regular expression for text ignores letter case, so words of a name have other separators. */
export const SECRET_IN_TEXT = `[\\w-]{0,64}(?:${SECRET}|pwd)[\\w-]{0,64}|(?:[\\w-]{0,64}[_-])?(?:auth|pin)(?:[_-][\\w-]{0,64})?`;

/** A character as it stands, or encoded as in a path or a query, perhaps several times over. */
const encoded = (codes: string) => `%(?:25){0,4}(?:${codes})`;
const START = String.raw`(?:\b|(?<=${encoded('[0-9a-f]{2}')}))`;
const COLON = `(?::|${encoded('3a')})`;
const SLASH = `(?:/|${encoded('2f')})`;
const AT = `(?:@|${encoded('40')})`;
const SCHEME = `${START}[a-z][a-z0-9+.-]{0,31}${COLON}${SLASH}{2}`;

/**
 * With one slash or none, browsers still read http and https addresses. A text that was cut may end inside of the user's part.
 * Every part has a limit: callers choose the text, and without limits a few kilobytes would take minutes.
 */
const USER_INFO = new RegExp(
  String.raw`(${SCHEME}|${START}https?${COLON}(?:\\|${SLASH}){0,8})` +
    String.raw`(?:(?:[^\s/?#"'\\]|\\.){0,1024}${AT}|[^\s/?#"'\\@:]{0,1024}:[^\s/?#"'\\@]{0,1024}…$)`,
  'gi',
);
/** What an owner puts there is often a key. */
const QUERY = new RegExp(
  String.raw`(${SCHEME}(?:[^\s?#"'<>%]|%(?!(?:25){0,4}3f)){0,2048}(?:\?|${encoded('3f')}))[^\s"'<>]+`,
  'gi',
);

/** What every address has. */
export const ADDRESS_MARK = String.raw`:[\\/]|https?:|${encoded('3a')}`;
const HAS_ADDRESS = new RegExp(ADDRESS_MARK, 'i');

/** The text without the user information and the query of each address in it. */
export const hideInAddresses = (text: string, hidden: string): string =>
  HAS_ADDRESS.test(text) ? text.replace(USER_INFO, `$1${hidden}@`).replace(QUERY, `$1${hidden}`) : text;
