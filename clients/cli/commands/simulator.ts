import { type Command, InvalidArgumentError } from 'commander';
import type { Answer, Body } from '../../sdk/index.ts';
import { invocationOf } from '../invocation.ts';
import { printFields, printOutcome } from '../print.ts';

type State = Answer<'GET /operator/v1/simulator'>;

const SPEED_MAX = 10_000;
/** Allows for the start of the simulator's process. */
const CHANGE_SECONDS = 60;

function parseSpeed(text: string): number {
  const speed = Number(text.replace(/x$/, ''));
  if (!(Number.isInteger(speed) && speed >= 1 && speed <= SPEED_MAX))
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${SPEED_MAX} such as 60.`);
  return speed;
}

const describe = ({ running, speed }: State): string =>
  running
    ? `The simulator runs${speed > 1 ? `, ${speed} times as fast as real time` : ''}.`
    : 'The simulator is stopped.';

async function change(command: Command, body: Body<'PATCH /operator/v1/simulator'>): Promise<void> {
  const invocation = invocationOf(command);
  const { api } = invocation;
  const timeoutMs = api.timeoutMs(CHANGE_SECONDS);
  const state = await api.call('PATCH /operator/v1/simulator', { body, timeoutMs });
  printOutcome(invocation, state, describe(state));
}

export function addSimulator(program: Command): void {
  const simulator = program
    .command('simulator')
    .description('Starts and stops the simulator, which drives the demo devices of the sandbox.');
  simulator
    .command('show', { isDefault: true })
    .description('Shows whether the simulator runs, its speed, and the time it has reached.')
    .addHelpText('after', '\nExample:\n  $ linekeeper simulator')
    .action(async (_: object, command: Command) => {
      const invocation = invocationOf(command);
      printFields(invocation, await invocation.api.call('GET /operator/v1/simulator'));
    });
  simulator
    .command('start')
    .description('Starts the simulator.')
    .addHelpText('after', '\nExample:\n  $ linekeeper simulator start')
    .action((_: object, command: Command) => change(command, { running: true }));
  simulator
    .command('stop')
    .description('Stops the simulator; it does not catch up when it starts again.')
    .addHelpText('after', '\nExample:\n  $ linekeeper simulator stop')
    .action((_: object, command: Command) => change(command, { running: false }));
  simulator
    .command('speed')
    .description('Sets how fast sandbox time runs while the simulator runs.')
    .argument('<times>', 'for example 60: a minute each second', parseSpeed)
    .addHelpText('after', '\nExample:\n  $ linekeeper simulator speed 60')
    .action((speed: number, _: object, command: Command) => change(command, { speed }));
}
