#!/usr/bin/env node
import { spawn } from 'node:child_process';
import module, { createRequire } from 'node:module';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

/** The first version that runs TypeScript as it is and that this project is tested with. */
const NODE_MIN = 24;
const MAIN = new URL('../clients/cli/main.ts', import.meta.url);
/** Compiled code is kept here: most of a short command's time would go into compiling. */
const CACHE = fileURLToPath(new URL('../node_modules/.cache/linekeeper-cli', import.meta.url));

/** The Node of the package `node`, which the checkout brings along. */
function findNode() {
  const { resolve } = createRequire(import.meta.url);
  try {
    return resolve(process.platform === 'win32' ? 'node/bin/node.exe' : 'node/bin/node');
  } catch {
    process.stderr.write(
      `linekeeper: Node ${process.versions.node} is older than ${NODE_MIN} and the checkout has no other; run npm install in it.\n`,
    );
    process.exit(2);
  }
}

function runWith(node) {
  const child = spawn(node, [fileURLToPath(MAIN), ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: { NODE_COMPILE_CACHE: CACHE, ...process.env },
  });
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

if (Number.parseInt(process.versions.node, 10) >= NODE_MIN) {
  module.enableCompileCache(CACHE);
  await import(MAIN);
} else {
  runWith(findNode());
}
