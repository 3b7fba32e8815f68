#!/usr/bin/env node
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import module, { createRequire } from 'node:module';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

/** The first version that runs TypeScript as it is and that this project is tested with. */
const NODE_MIN = 24;
/** What is no client: it runs the service, or works on its database. Everything else is the command line's. */
const PROGRAMS = {
  start: 'src/main',
  backup: 'src/app/backup-command',
  restore: 'src/app/backup-command',
  shard: 'src/app/shard-command',
};

/** As `npm start` and the image have them: a heap that grows in small steps. Node takes them at its start only. */
const HEAP = ['--max-semi-space-size=16', '--heap-growing-percent=50'];

/** A checkout runs its sources, which are never stale; a package has none and brings what was built of them. */
function locate(program) {
  const source = new URL(`../${program}.ts`, import.meta.url);
  return existsSync(source) ? source : new URL(`../dist/${program}.js`, import.meta.url);
}

const [command = 'start'] = process.argv.slice(2);
const flags = command === 'start' ? HEAP : [];
const MAIN = locate((Object.hasOwn(PROGRAMS, command) && PROGRAMS[command]) || 'clients/cli/main');
/** Compiled code is kept here: most of a short command's time would go into compiling. */
const CACHE = fileURLToPath(new URL('../node_modules/.cache/linekeeper-cli', import.meta.url));

/** The Node of the package `node`, which npm installs along with this one. */
function findNode() {
  const { resolve } = createRequire(import.meta.url);
  try {
    return resolve(process.platform === 'win32' ? 'node/bin/node.exe' : 'node/bin/node');
  } catch {
    process.stderr.write(
      `linekeeper: Node ${process.versions.node} is older than ${NODE_MIN}, and the package "node", which brings a newer one, is not installed here with its script: use Node ${NODE_MIN}, or run npm install.\n`,
    );
    process.exit(2);
  }
}

const words = [...flags, fileURLToPath(MAIN), ...process.argv.slice(2)];
/** For the same Node: what it was started with holds for the service too. */
const ownWords = [...process.execArgv, ...words];
const env = { NODE_COMPILE_CACHE: CACHE, ...process.env };

function runWith(node, nodeWords = words) {
  const child = spawn(node, nodeWords, { stdio: 'inherit', env });
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'];
  for (const signal of signals) process.on(signal, () => child.kill(signal));
  child.once('error', (error) => {
    process.stderr.write(`linekeeper: ${node} cannot be run: ${error.message}.\n`);
    process.exit(2);
  });
  child.once('exit', (code, signal) => {
    process.exit(code ?? 128 + constants.signals[signal]);
  });
}

if (Number.parseInt(process.versions.node, 10) < NODE_MIN) {
  runWith(findNode());
} else if (flags.length === 0) {
  module.enableCompileCache(CACHE);
  await import(MAIN);
} else if (process.platform === 'win32') {
  runWith(process.execPath, ownWords);
} else {
  // The same process with another program: whoever signals or waits for this one has the service itself.
  process.execve(process.execPath, [process.execPath, ...ownWords], env);
}
