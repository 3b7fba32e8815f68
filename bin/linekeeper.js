#!/usr/bin/env node
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import module, { createRequire } from 'node:module';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

/** A checkout runs its sources, which are never stale. A package contains only the built files. */
const SOURCE = new URL('../clients/cli/main.ts', import.meta.url);
const BUILT = new URL('../dist/clients/cli/main.js', import.meta.url);
const isCheckout = existsSync(SOURCE);
const MAIN = isCheckout ? SOURCE : BUILT;
/** Cache of compiled code, because compiling would take most of the time of a short command. */
const CACHE = fileURLToPath(new URL('../node_modules/.cache/linekeeper-cli', import.meta.url));

/** The first version that runs TypeScript directly and that this project is tested with. */
const CHECKOUT_MIN = [24, 0];
/** Minimum for the package, from package.json, so that npm and this file agree. */
function packageMin() {
  const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  return engines.node.match(/\d+/g).slice(0, 2).map(Number);
}

function isOlderThan([major, minor]) {
  const [ownMajor, ownMinor] = process.versions.node.split('.').map(Number);
  return ownMajor < major || (ownMajor === major && ownMinor < minor);
}

function refuse(needed) {
  process.stderr.write(`linekeeper: ${needed}; this is Node ${process.versions.node}.\n`);
  process.exit(1);
}

/** The Node of the package `node`, which `npm ci` installs in a checkout. */
function findNode() {
  const { resolve } = createRequire(import.meta.url);
  try {
    return resolve(process.platform === 'win32' ? 'node/bin/node.exe' : 'node/bin/node');
  } catch {
    return refuse('A checkout needs Node 24 or newer, or the package "node", which npm ci installs');
  }
}

function runWith(node) {
  const env = { NODE_COMPILE_CACHE: CACHE, ...process.env };
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

if (process.argv.length === 2) process.argv.push('start');
const min = isCheckout ? CHECKOUT_MIN : packageMin();
if (isOlderThan(min) && isCheckout) {
  runWith(findNode());
} else if (isOlderThan(min)) {
  refuse(`It needs Node ${min.join('.')} or newer`);
} else {
  module.enableCompileCache(CACHE);
  // For the service, which replaces this program.
  process.env.NODE_COMPILE_CACHE ??= CACHE;
  await import(MAIN);
}
