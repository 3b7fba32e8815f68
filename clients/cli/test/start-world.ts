import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { makeWorld, OPERATOR_KEY } from '../../../test/support/world.ts';
import { makeScene } from '../../sdk/test/scene.ts';
import { type How, type Ran, runCli } from './run-cli.ts';

const runWith =
  (env: Readonly<Record<string, string>>) =>
  (args: readonly string[], how: How = {}): Promise<Ran> =>
    runCli(args, { ...how, env: { ...env, ...how.env } });

/** The service with a small fleet, and the command line with its address. Closed when the file ends. */
export async function startWorld() {
  const scene = await makeScene();
  const env = { LINEKEEPER_URL: scene.baseUrl, LINEKEEPER_OPERATOR_KEY: OPERATOR_KEY };
  return { ...scene, env, run: runWith(env) };
}

/** An empty service, which the command line finds through the data folder. Closed when the file ends. */
export async function startEmptyWorld(options: Parameters<typeof makeWorld>[0] = {}) {
  const world = await makeWorld(options);
  const url = `${await world.api.listen({ port: 0, host: '127.0.0.1' })}/api`;
  const cwd = await mkdtemp(join(tmpdir(), 'linekeeper-cli-'));
  after(() => rm(cwd, { recursive: true }));
  const dataDir = join(cwd, '.linekeeper');
  // The files that a sandbox started there would write.
  await mkdir(dataDir);
  await writeFile(join(dataDir, 'service.json'), JSON.stringify({ url }));
  await writeFile(join(dataDir, 'operator-key'), `${OPERATOR_KEY}\n`);
  return { ...world, url, cwd, dataDir, run: runWith({ LINEKEEPER_DATA_DIR: dataDir }) };
}
