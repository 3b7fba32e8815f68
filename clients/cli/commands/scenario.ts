import { Argument, type Command } from 'commander';
import { type Played, playScenario, SCENARIOS, type Scenario } from '../../simulator/scenarios/index.ts';
import { Ended, EXIT } from '../failure.ts';
import { invocationOf } from '../invocation.ts';
import { plainText } from '../plain-text.ts';
import { print, printLines } from '../print.ts';
import { runOf } from '../run.ts';

function report({ ok, checks, lookAt }: Played): string[] {
  const failed = checks.filter((check) => !check.ok).length;
  return [
    '',
    ok ? `All ${checks.length} checks passed.` : `${failed} of ${checks.length} checks failed.`,
    'What you can look at now:',
    ...lookAt.map((line) => `  ${line}`),
  ];
}

async function play(scenario: Scenario, command: Command): Promise<void> {
  const invocation = invocationOf(command);
  const { api, json } = invocation;
  const tell = (...lines: readonly string[]) => {
    if (!json) print(invocation, lines.map(plainText).join('\n'));
  };
  tell(scenario.summary);
  const played = await playScenario(scenario, {
    operator: api,
    baseUrl: api.url.href,
    said: (sentence) => tell('', sentence),
    checked: ({ what, ok }) => tell(`  ${ok ? 'yes' : 'NO '}  ${what}`),
  });
  printLines(invocation, played, report(played));
  if (!played.ok) throw new Ended(EXIT.refused);
}

function list(command: Command): void {
  const width = Math.max(...SCENARIOS.map(({ name }) => name.length));
  const rows = SCENARIOS.map(({ name, summary, accountName }) => ({ name, summary, accountName }));
  printLines(
    runOf(command),
    rows,
    rows.map(({ name, summary }) => `${name.padEnd(width)}  ${summary}`),
  );
}

const LIST = 'list';

export function addScenario(program: Command): void {
  program
    .command('scenario')
    .description(
      'Plays a story in an account of its own in the sandbox, moves the clock, and checks how it ends. ' +
        'You can play it again.',
    )
    .addArgument(
      new Argument('<name>', 'which one; list shows them all').choices([
        LIST,
        ...SCENARIOS.map(({ name }) => name),
      ]),
    )
    .addHelpText('after', '\nExamples:\n  $ linekeeper scenario list\n  $ linekeeper scenario overage')
    .action(async (name: string, _: object, command: Command) => {
      const scenario = SCENARIOS.find((one) => one.name === name);
      await (scenario === undefined ? list(command) : play(scenario, command));
    });
}
