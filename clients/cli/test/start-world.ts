import { OPERATOR_KEY } from '../../../test/support/world.ts';
import { makeScene } from '../../sdk/test/scene.ts';
import { type How, type Ran, runCli } from './run-cli.ts';

/** The service within the test, which is there much sooner than one as a process. Closed when the file ends. */
export async function startWorld() {
  const scene = await makeScene();
  const env = {
    LINEKEEPER_DATA_DIR: '/nowhere',
    LINEKEEPER_URL: scene.baseUrl,
    LINEKEEPER_OPERATOR_KEY: OPERATOR_KEY,
  };
  const run = (args: readonly string[], how: How = {}): Promise<Ran> =>
    runCli(args, { ...how, env: { ...env, ...how.env } });
  return { ...scene, run };
}
