import assert from 'node:assert/strict';
import { postCallbacks } from '../../src/features/callbacks/index.ts';
import { inTx } from '../../src/platform/context/context.ts';
import { ACCOUNT, asUser, SMALL_FLEET } from './fleet.ts';
import { type Listener, openListener } from './listener.ts';
import { makeWorld } from './world.ts';

export const MINUTE_MS = 60_000;
/** The profile of ACCOUNT. */
export const ECPD = '9000001';

/** A world with one listener, registered through the interface, and actions on it for tests. */
export async function makeScene(
  answer: Listener['answer'] = 200,
  service = 'AlertService',
  wanted: Parameters<typeof makeWorld>[0] = {},
) {
  // Closed before the world, which would otherwise wait for its answers.
  const listener = await openListener(answer);
  const world = await makeWorld(wanted);
  await world.import(SMALL_FLEET);
  const user = await asUser(world);
  const register = (body: object) =>
    user.call('POST', `/m2m/v1/callbacks/${ACCOUNT}`, { name: service, url: listener.url, ...body });
  const registered = await register({ username: 'me', password: 'word' });
  assert.equal(registered.statusCode, 200, registered.body);
  const post = (payload: object, requestId = 'r-1') =>
    inTx(world.ctx, (tx) =>
      postCallbacks(tx, ECPD, [{ accountName: ACCOUNT, serviceName: service as never, requestId, payload }]),
    );
  const deliveries = async (query = '') =>
    (await user.call('GET', `/m2m/v1/callbacks/${ACCOUNT}/deliveries${query}`)).json();
  return {
    ...world,
    listener,
    user,
    register,
    post,
    deliveries,
    secret: String(registered.headers['webhook-secret']),
  };
}
