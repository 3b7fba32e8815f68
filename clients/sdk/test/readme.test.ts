import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, describe, it } from 'node:test';
import { ACCOUNT, CLIENT, MANAGED, STRANGER, USER } from '../../../test/support/fleet.ts';
import { OPERATOR_KEY } from '../../../test/support/world.ts';
import { makeScene } from './scene.ts';

const README = new URL('../README.md', import.meta.url);
const SDK = new URL('../', import.meta.url).href;

/** Writes the README's examples as one program, which imports the client from its folder. */
async function writeExamples(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'linekeeper-sdk-'));
  after(() => rm(folder, { recursive: true }));
  const blocks = (await readFile(README, 'utf8')).matchAll(/^```ts\n(.*?)^```$/gms);
  const program = [...blocks]
    .map(([, code]) => code)
    .join('\n')
    .replaceAll("'linekeeper/callbacks'", `'${SDK}callbacks.ts'`)
    .replaceAll("'linekeeper'", `'${SDK}index.ts'`);
  const file = join(folder, 'examples.ts');
  await writeFile(file, program);
  return file;
}

async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe('the README', () => {
  it('has examples that do what they say', async () => {
    const scene = await makeScene();
    scene.delivery.start();
    const env = {
      ...process.env,
      LINEKEEPER_URL: scene.baseUrl,
      LINEKEEPER_OPERATOR_KEY: OPERATOR_KEY,
      ACCOUNT,
      CLIENT_SECRET: CLIENT.clientSecret,
      USER_PASSWORD: USER.password,
      PORT: String(await findFreePort()),
    };
    const child = spawn(process.execPath, [await writeExamples()], { env, timeout: 30_000 });
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
    assert.deepEqual(
      [out.trimEnd().split('\n'), err],
      [
        [
          'plans: P-5MB',
          'the same trigger: true',
          'refused: 400 UnifiedWebService.REQUEST_FAILED.AccountNotFound',
          'devices: 1',
          ...[ACCOUNT, MANAGED, STRANGER].map((name) => `account: ${name}`),
          'heard what was sent: true',
        ],
        '',
      ],
    );
  });
});
