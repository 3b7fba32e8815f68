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

/**
 * With one slash or none, browsers still read http and https addresses. A text that was cut may end inside of the user's part.
 * Every part has a limit: callers choose the text, and without limits a few kilobytes would take minutes.
 */
const USER_INFO =
  /(\b[a-z][a-z0-9+.-]{0,31}:\/\/|\bhttps?:[\\/]{0,8})(?:(?:[^\s/?#"'\\]|\\.){0,1024}@|[^\s/?#"'\\@:]{0,1024}:[^\s/?#"'\\@]{0,1024}…$)/gi;
/** What an owner puts there is often a key. */
const QUERY = /(\b[a-z][a-z0-9+.-]{0,31}:\/\/[^\s?#"'<>]{0,2048}\?)[^\s"'<>]+/gi;

/** The text without the user information and the query of each address in it. */
export const hideInAddresses = (text: string, hidden: string): string =>
  /:[\\/]|https?:/i.test(text) ? text.replace(USER_INFO, `$1${hidden}@`).replace(QUERY, `$1${hidden}`) : text;
