import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { delimiter, dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  makeDataDir,
  removeDataDir,
  type ServiceProcess,
  startServiceProcess,
} from '../support/service-process.ts';

const PAGE = readFileSync('docs/tutorial.md', 'utf8');
const PATIENCE_MS = 60_000;
const PORT = '9100';

interface Block {
  readonly heading: string;
  readonly how: string;
  readonly commands: string;
  readonly expected: readonly string[];
}

/** Each block of commands with the text below it. */
function blocksIn(page: string): Block[] {
  const fence = /^## (.+)$|^```(\S+)(?: (\S+))?\n([\s\S]*?)^```$/gm;
  const blocks: (Block & { expected: string[] })[] = [];
  let heading = '';
  for (const [, title, language, how = '', body = ''] of page.matchAll(fence)) {
    if (title !== undefined) heading = title;
    else if (how === 'listener')
      blocks.push({ heading, how, commands: '', expected: body.trim().split('\n') });
    else if (language === 'sh') blocks.push({ heading, how, commands: body.trim(), expected: [] });
    else blocks.at(-1)!.expected.push(...body.trim().split('\n'));
  }
  return blocks;
}

const literally = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
const patternOf = (line: string): RegExp =>
  new RegExp(
    line
      .split('…')
      .map((part) => part.trim().split(/\s+/).map(literally).join('\\s+'))
      .join('.*'),
  );
const missingIn = (output: string, { expected }: Block): string[] =>
  expected.filter((line) => !patternOf(line).test(output));

/** The output of a process so far. */
function outputOf(child: ChildProcess): () => string {
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
  return () => text;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

describe('the tutorial', () => {
  const dataDir = makeDataDir();
  let service: ServiceProcess;
  let shell: ChildProcess;
  let printed: () => string;
  let listener: { readonly child: ChildProcess; readonly output: () => string } | undefined;
  let env: NodeJS.ProcessEnv;
  let port: number;
  let round = 0;

  const written = (commands: string) => commands.replaceAll(PORT, String(port));

  /** All blocks run in one shell, as a person would type them. The first failing command ends it. */
  async function type(commands: string): Promise<string> {
    const [from, mark] = [printed().length, `typed-${++round}`];
    shell.stdin?.write(`${written(commands)}\necho ${mark}\n`);
    const until = Date.now() + PATIENCE_MS;
    while (!printed().slice(from).includes(mark)) {
      if (shell.exitCode !== null || Date.now() > until)
        throw new Error(`${commands}\n${printed().slice(from)}`);
      await sleep(20);
    }
    return printed().slice(from);
  }

  async function runInBackground({ commands }: Block): Promise<string> {
    const child = spawn('sh', ['-c', `exec ${written(commands)}`], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    listener = { child, output: outputOf(child) };
    while (listener.output() === '' && child.exitCode === null) await sleep(20);
    return listener.output();
  }

  async function waitForBackground(): Promise<string> {
    const { child, output } = listener!;
    if (child.exitCode === null) await once(child, 'close');
    return output();
  }

  const ways: Readonly<Record<string, (block: Block) => Promise<string>>> = {
    // The commands create the checkout in which this test runs.
    checkout: async ({ commands }) => assert.equal(commands, 'npm ci') ?? '',
    // The process was started by the same script of package.json.
    service: async ({ commands }) => assert.equal(commands, 'npm start') ?? service.output(),
    background: runInBackground,
    listener: waitForBackground,
  };

  before(async () => {
    port = await freePort();
    service = await startServiceProcess(dataDir, {
      LINEKEEPER_DEMO: 'on',
      LINEKEEPER_SIMULATOR: 'on',
      LINEKEEPER_LOG_LEVEL: 'warn',
    });
    env = {
      ...process.env,
      PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
      LINEKEEPER_DATA_DIR: dataDir,
      LINEKEEPER_CONFIG_DIR: join(dataDir, 'config'),
    };
    shell = spawn('sh', ['-e'], { env, stdio: ['pipe', 'pipe', 'pipe'] });
    printed = outputOf(shell);
  });
  after(async () => {
    shell.kill();
    listener?.child.kill();
    await service.stop();
    removeDataDir(dataDir);
  });

  const blocks = blocksIn(PAGE);
  it('has commands to run', () => assert.ok(blocks.length > 12));

  for (const [n, block] of blocks.entries()) {
    it(`under "${block.heading}" prints the documented output (${n + 1})`, async () => {
      const run = ways[block.how] ?? (({ commands }: Block) => type(commands));
      let output = await run(block);
      const until = Date.now() + PATIENCE_MS;
      // A check of a background event may be a moment too early.
      while (block.how === 'look' && missingIn(output, block).length > 0 && Date.now() < until) {
        await sleep(200);
        output = await run(block);
      }
      assert.deepEqual(missingIn(output.replaceAll(String(port), PORT), block), [], output);
    });
  }
});
