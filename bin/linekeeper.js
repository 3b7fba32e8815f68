#!/usr/bin/env node
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import module, { createRequire } from 'node:module';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

/** The first version that runs TypeScript as it is and that this project is tested with. */
const NODE_MIN = 24;
/** A checkout runs its sources, which are never stale; a package has none and brings what was built of them. */
function locate(program) {
  const source = new URL(`../${program}.ts`, import.meta.url);
  return existsSync(source) ? source : new URL(`../dist/${program}.js`, import.meta.url);
}

if (process.argv.length === 2) process.argv.push('start');
const MAIN = locate('clients/cli/main');
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

const env = { NODE_COMPILE_CACHE: CACHE, ...process.env };

function runWith(node) {
  const child = spawn(node, [fileURLToPath(MAIN), ...process.argv.slice(2)], { stdio: 'inherit', env });
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
} else {
  module.enableCompileCache(CACHE);
  // For the service, which takes the place of this program.
  process.env.NODE_COMPILE_CACHE ??= CACHE;
  await import(MAIN);
}
