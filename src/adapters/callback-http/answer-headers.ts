import { StringDecoder } from 'node:string_decoder';
import { ANSWER_HEADERS_KEPT_BYTES } from '../../features/callbacks/index.ts';

/** The values of these headers are meant for the caller, and grant access to something. */
const SECRET_NAME =
  /cookie|authoriz|authentication-info|token|secret|passw|credential|session|signature|csrf|xsrf|jwt|(?:api|access|private)[-_]?key/i;
/** All unprintable characters: PostgreSQL's text cannot store a NUL, and the others would only hide something. */
const CONTROLS = /[\p{Cc}--\t]/gv;
const HIDDEN = '(hidden)';
/** The path of a redirect shows where it leads; the part after the path is often a token. */
const ADDRESS_NAME = /^(?:content-)?location$/i;
const QUERY = /[?#].+$/;

/** A head that the parser has accepted: each line after the first is a name, a colon and a value. */
function readable(line: string): string {
  const colon = line.indexOf(':');
  const name = line.slice(0, colon);
  const value = line.slice(colon + 1).trim();
  if (SECRET_NAME.test(name)) return `${name}: ${HIDDEN}`;
  return `${name}: ${ADDRESS_NAME.test(name) ? value.replace(QUERY, `?${HIDDEN}`) : value}`;
}

/** The header lines of an answer, for display: as UTF-8, one per line, and cut to a maximum length. */
export function keptHeaders(head: string): string {
  const lines = head.split('\r\n').slice(1).map(readable);
  const text = Buffer.from(lines.join('\n'), 'latin1').toString('utf8');
  const clean = text
    .split('\n')
    .map((line) => line.replace(CONTROLS, ''))
    .join('\n');
  return new StringDecoder('utf8').write(Buffer.from(clean).subarray(0, ANSWER_HEADERS_KEPT_BYTES));
}
