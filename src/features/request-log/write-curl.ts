import type { KeptCall } from './call.ts';

/** Inside single quotes, a shell interprets only the single quote. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
const header = (name: string, variable: string) => `-H "${name}$${variable}"`;

/** Credentials are never stored. The command takes them from the environment. */
function credentialsOf({ caller, path }: Called, sessionHeader: string): readonly string[] {
  if (path.startsWith('/ts/')) return ['-u "$LINEKEEPER_CLIENT_ID:$LINEKEEPER_CLIENT_SECRET"'];
  if (path.startsWith('/operator/')) return [header('Authorization: Bearer ', 'LINEKEEPER_OPERATOR_KEY')];
  const bearer = header('Authorization: Bearer ', 'LINEKEEPER_TOKEN');
  return caller?.kind === 'user'
    ? [bearer, header(`${sessionHeader}: `, 'LINEKEEPER_SESSION_TOKEN')]
    : [bearer];
}

function bodyOf({ path }: Called, request: string): readonly string[] {
  if (!path.startsWith('/ts/'))
    return [`-H 'Content-Type: application/json'`, `--data-raw ${quoted(request)}`];
  const fields = Object.entries(JSON.parse(request) as Record<string, string>);
  return fields.map(([name, value]) => `--data-urlencode ${quoted(`${name}=${value}`)}`);
}

type Called = Pick<KeptCall, 'method' | 'path' | 'caller'> & { readonly request: string | null };

/** The call as a shell command. */
export function writeCurl(call: Called, sessionHeader: string): string {
  const parts = [
    `curl -X ${call.method} "$LINEKEEPER_URL"${quoted(call.path)}`,
    ...credentialsOf(call, sessionHeader),
    ...(call.request === null ? [] : bodyOf(call, call.request)),
  ];
  return parts.join(' \\\n  ');
}
