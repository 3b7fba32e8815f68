import { join } from 'node:path';
import { COLD_CHAIN, ENERGY, FACILITIES, PRIMARY, WATER } from './accounts.ts';

/**
 * These are not secrets: they are the same everywhere and printed at every start, and the sandbox listens on
 * loopback by default.
 */
export const clients = [
  { clientId: 'demo-app', clientSecret: 'demo-app-secret' },
  { clientId: 'partner-app', clientSecret: 'partner-app-secret' },
];

export const users = [
  { username: 'demo-user', password: 'demo-user-password', accounts: [PRIMARY, COLD_CHAIN, FACILITIES] },
  { username: 'fleet-user', password: 'fleet-user-password', accounts: [COLD_CHAIN] },
  { username: 'partner-user', password: 'partner-user-password', accounts: [WATER, ENERGY] },
];

interface BannerFacts {
  /** URL with the base path, as in the ready line. */
  readonly url: string;
  readonly sessionHeader: string;
  readonly dataDir: string;
  /** The key is a setting, so the data folder has none. */
  readonly operatorKeyGiven?: boolean;
  /** Others than this machine can connect. */
  readonly isReachable?: boolean;
}

/** A sed command that extracts a JSON string field, so that jq is not needed. */
const field = (name: string) => `sed -n 's/.*"${name}":"\\([^"]*\\)".*/\\1/p'`;

/** Plain sh with curl and sed, without characters that an interactive shell would expand. */
export function firstCall({ url, sessionHeader }: Pick<BannerFacts, 'url' | 'sessionHeader'>): string[] {
  const [{ clientId, clientSecret }, { username, password }] = [clients[0]!, users[0]!];
  return [
    `BASE='${url}'`,
    `TOKEN=$(curl -sS -u '${clientId}:${clientSecret}' -d grant_type=client_credentials \\`,
    `  "$BASE/ts/v1/oauth2/token" | ${field('access_token')})`,
    'SESSION=$(curl -sS -H "Authorization: Bearer $TOKEN" -H \'Content-Type: application/json\' \\',
    `  -d '{"username":"${username}","password":"${password}"}' \\`,
    `  "$BASE/m2m/v1/session/login" | ${field('sessionToken')})`,
    `curl -sS -H "Authorization: Bearer $TOKEN" -H "${sessionHeader}: $SESSION" \\`,
    `  "$BASE/m2m/v1/accounts/${PRIMARY}"; echo`,
  ];
}

/** For a sandbox that listens on more than loopback. */
export const REACHABLE = [
  'the demo fleet has published passwords, and others can reach this address',
  'LINEKEEPER_DEMO=off starts without it',
] as const;

/** The banner of a new sandbox: credentials, keys, the reference, and a working call. */
export function demoBanner(facts: BannerFacts): string {
  const operatorKey = facts.operatorKeyGiven
    ? 'the one in LINEKEEPER_OPERATOR_KEY'
    : join(facts.dataDir, 'operator-key');
  const indented = (lines: readonly string[]) => lines.map((line) => `  ${line}`);
  return [
    '',
    ...(facts.isReachable ? [`Warning: ${REACHABLE[0]}:`, `${REACHABLE[1]}.`, ''] : []),
    'Demo fleet: 2 profiles, 5 accounts, 200 devices. LINEKEEPER_DEMO=off starts empty.',
    '',
    'Applications (client id and secret)',
    ...indented(clients.map(({ clientId, clientSecret }) => `${clientId}  ${clientSecret}`)),
    'Users (password, accounts; the first is the home account)',
    ...indented(
      users.map(({ username, password, accounts }) => `${username}  ${password}  ${accounts.join(' ')}`),
    ),
    'Operator key',
    ...indented([operatorKey]),
    'Console',
    ...indented([new URL('/', facts.url).href]),
    'Reference',
    ...indented([new URL('/docs', facts.url).href]),
    '',
    'First call (paste into sh or bash)',
    '',
    ...indented(firstCall(facts)),
    '',
    '',
  ].join('\n');
}
