import { CLIENT, SMALL_FLEET, USER } from '../../../test/support/fleet.ts';
import { makeWorld, OPERATOR_KEY } from '../../../test/support/world.ts';
import { type ClientConnection, createClient, createOperatorClient, type Fetch } from '../index.ts';

export const CREDENTIALS = { ...CLIENT, ...USER };

/** The service on a real port, and the requests that clients sent to it. */
export async function makeScene() {
  const world = await makeWorld();
  await world.import(SMALL_FLEET);
  const baseUrl = `${await world.api.listen({ port: 0, host: '127.0.0.1' })}/api`;
  const sent: string[] = [];
  const fetch: Fetch = (url, init) => {
    sent.push(`${init.method} ${url.slice(baseUrl.length)}`);
    return globalThis.fetch(url, init);
  };
  return {
    ...world,
    baseUrl,
    /** Method and path of every request since the last call of this function. */
    takeSent: () => sent.splice(0),
    client: (more: Partial<ClientConnection> = {}) =>
      createClient({ baseUrl, ...CREDENTIALS, fetch, ...more }),
    operatorClient: createOperatorClient({ baseUrl, operatorKey: OPERATOR_KEY, fetch }),
  };
}
