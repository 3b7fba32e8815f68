import { ACCOUNT, SMALL_FLEET } from '../test/support/fleet.ts';
import { inTurns } from './support/in-turns.ts';
import { requestsPerSecond } from './support/load.ts';
import { startMock } from './support/mock.ts';
import { beside, type Finding } from './support/report.ts';
import { roundsOr } from './support/rounds.ts';
import { openServiceScene } from './support/service-scene.ts';

const ROUNDS = roundsOr(5);
const SECONDS = 5;
const CONNECTIONS = 64;

const READS = {
  'an account with its plans': `/m2m/v1/accounts/${ACCOUNT}`,
  "an account's listeners": `/m2m/v1/callbacks/${ACCOUNT}`,
};

/** Compares the real service, with tokens, sessions and a database, with a mock that answers from the OpenAPI document alone. */
export async function mockPeer(): Promise<Finding[]> {
  const mock = await startMock();
  const { url, headers, close } = await openServiceScene('mock_peer', SMALL_FLEET);
  try {
    const findings: Finding[] = [];
    for (const [what, path] of Object.entries(READS)) {
      const rate = (base: string) => () =>
        requestsPerSecond({ url: `${base}${path}`, headers, connections: CONNECTIONS, seconds: SECONDS });
      findings.push(
        beside({
          what: `Read of ${what}, requests/s`,
          ...(await inTurns(ROUNDS, rate(url), rate(mock.url))),
          is: 'Prism, answering from our OpenAPI document without a database',
          target: { atLeast: 2 },
        }),
      );
    }
    return findings;
  } finally {
    mock.stop();
    await close();
  }
}
