import { readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { Argument, type Command } from 'commander';
import {
  type Check,
  type Played,
  playScenario,
  readScenario,
  readSchema,
  SCENARIOS,
  UnknownName,
} from '../../simulator/scenarios/index.ts';
import { Ended, EXIT, wrongUsage } from '../failure.ts';
import { invocationOf } from '../invocation.ts';
import { dateTime, uuid } from '../parse-value.ts';
import { plainText } from '../plain-text.ts';
import { print, printLines, printOutcome } from '../print.ts';
import { runOf } from '../run.ts';
import { type RecordOptions, record } from './record-scenario.ts';

const EXAMPLE_ID = '019a9139-5c00-7000-8000-2f60c1f5a001';

function report({ ok, checks, lookAt }: Played): string[] {
  const failed = checks.filter((check) => !check.ok).length;
  return [
    '',
    ok ? `All ${checks.length} checks passed.` : `${failed} of ${checks.length} checks failed.`,
    ...(lookAt.length === 0 ? [] : ['What you can inspect now:', ...lookAt.map((line) => `  ${line}`)]),
  ];
}

const linesOf = ({ what, ok, expected, came }: Check): string[] => [
  `  ${ok ? 'yes' : 'NO '}  ${what}`,
  ...(expected === undefined ? [] : [`       expected ${expected}`]),
  ...(came === undefined ? [] : [`       actual   ${came}`]),
];

/** Errors in the file are usage errors. */
const read = (file: string) =>
  readScenario(file).catch((error: Error) => {
    throw wrongUsage(error.message);
  });

async function play(file: string, command: Command): Promise<void> {
  const invocation = invocationOf(command);
  const { api, json } = invocation;
  const show = (...lines: readonly string[]) => {
    if (!json) print(invocation, lines.map(plainText).join('\n'));
  };
  const scenario = await read(file);
  show(scenario.summary);
  const played = await playScenario(scenario, {
    operator: api,
    baseUrl: api.url.href,
    said: (sentence) => show('', sentence),
    checked: (check) => show(...linesOf(check)),
  }).catch((error: unknown) => {
    throw error instanceof UnknownName ? wrongUsage(`${file}: ${error.message}`) : error;
  });
  printLines(invocation, played, report(played));
  if (!played.ok) throw new Ended(EXIT.refused);
}

async function list(command: Command): Promise<void> {
  const width = Math.max(...SCENARIOS.map(({ name }) => name.length));
  const rows = await Promise.all(
    SCENARIOS.map(async ({ name, file }) => ({ name, summary: (await read(file)).summary, file })),
  );
  printLines(
    runOf(command),
    rows,
    rows.map(({ name, summary }) => `${name.padEnd(width)}  ${summary}`),
  );
}

/** Starts the scenario in the sandbox, where it continues after this command ends. */
async function start(file: string, command: Command): Promise<void> {
  const invocation = invocationOf(command);
  const path = SCENARIOS.find(({ name }) => name === file)?.file ?? resolve(invocation.around.cwd, file);
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    throw wrongUsage(`Cannot read ${file}: ${error.message}`);
  });
  const body = { name: basename(path), text };
  const run = await invocation.api.call('POST /operator/v1/scenarios/runs', { body });
  printOutcome(
    invocation,
    run,
    `The sandbox is playing ${run.name}; see its progress with linekeeper scenario runs.`,
  );
}

async function stop(runId: string, command: Command): Promise<void> {
  const invocation = invocationOf(command);
  const run = await invocation.api.call('POST /operator/v1/scenarios/runs/{runId}/stop', { path: { runId } });
  printOutcome(invocation, run, `${run.name}: ${run.state}.`);
}

async function listRuns(command: Command): Promise<void> {
  const invocation = invocationOf(command);
  const runs = await invocation.api.call('GET /operator/v1/scenarios/runs');
  printLines(
    invocation,
    runs,
    runs.map(
      ({ runId, name, state, step, steps, checks, failedChecks }) =>
        `${runId}  ${name}  ${state}  step ${step} of ${steps}, ${failedChecks} of ${checks} checks failed`,
    ),
  );
}

const WITH_FILE = ['run', 'record', 'start', 'stop'];

async function perform(
  what: string,
  file: string | undefined,
  options: RecordOptions,
  command: Command,
): Promise<void> {
  if (WITH_FILE.includes(what) !== (file !== undefined))
    throw wrongUsage(
      'Only run, record, start and stop take an argument, and they require it',
      'linekeeper scenario run overage.yaml',
    );
  if (what === 'record') return record(file!, options, command);
  if (Object.keys(options).length > 0) throw wrongUsage('These options need record');
  if (what === 'start') return start(file!, command);
  if (what === 'stop') return stop(file!, command);
  if (what === 'runs') return listRuns(command);
  const shipped = SCENARIOS.find(({ name }) => name === what);
  if (shipped !== undefined) return play(shipped.file, command);
  if (file !== undefined) return play(resolve(runOf(command).around.cwd, file), command);
  if (what === 'list') return list(command);
  print(runOf(command), JSON.stringify(await readSchema(), null, 2));
}

export function addScenario(program: Command): void {
  program
    .command('scenario')
    .description(
      'Plays a scenario from a file in the sandbox: it deletes and imports accounts, moves the clock, and checks the ' +
        'results. You can play it again.',
    )
    .addArgument(
      new Argument(
        '<what>',
        'run, record, list, schema (of a scenario file), or the name of a built-in scenario; start, stop and runs control scenarios inside the sandbox',
      ).choices([...WITH_FILE, ...['runs', 'list', 'schema'], ...SCENARIOS.map(({ name }) => name)]),
    )
    .argument('[file]', 'for run, record and start: a scenario as YAML or JSON; for stop: the id of a run')
    .option('--account <name>', 'for record: the account whose calls become steps')
    .option('--since <date>', 'for record: only calls since this time of the service’s clock', dateTime)
    .option('--from <id>', 'for record: the first call', uuid(EXAMPLE_ID))
    .option('--to <id>', 'for record: the last call', uuid(EXAMPLE_ID))
    .option('--fleet <file>', 'for record: the fleet document of the account at the start of the session')
    .addHelpText(
      'after',
      '\nExamples:\n  $ linekeeper scenario list\n  $ linekeeper scenario overage\n  $ linekeeper scenario run mine.yaml' +
        '\n  $ linekeeper scenario record session.yaml --account 0000123456-00001 --fleet before.json',
    )
    .action(perform);
}
