import { type Command, InvalidArgumentError } from 'commander';
import type { Answer, Body } from '../../sdk/index.ts';
import { invocationOf } from '../invocation.ts';
import { printFields, printOutcome } from '../print.ts';

type State = Answer<'GET /operator/v1/simulator'>;

const SPEED_MAX = 10_000;
/** A process may have to be started first. */
const CHANGE_SECONDS = 60;

function readSpeed(text: string): number {
  const speed = Number(text.replace(/x$/, ''));
  if (!(Number.isInteger(speed) && speed >= 1 && speed <= SPEED_MAX))
    throw new InvalidArgumentError(`It is a whole number from 1 to ${SPEED_MAX}.`);
  return speed;
}

const describe = ({ running, speed }: State): string =>
  running
    ? `The devices live by themselves${speed > 1 ? `, ${speed} times as fast as real time` : ''}.`
    : 'The devices stand still.';

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
    .description('Lets the demo devices of the sandbox live by themselves, or stand still.');
  simulator
    .command('show', { isDefault: true })
    .description('Shows whether they do, how fast, and until when they have lived.')
    .addHelpText('after', '\nExample:\n  $ linekeeper simulator')
    .action(async (_: object, command: Command) => {
      const invocation = invocationOf(command);
      printFields(invocation, await invocation.api.call('GET /operator/v1/simulator'));
    });
  simulator
    .command('start')
    .description('Lets them live from now on.')
    .addHelpText('after', '\nExample:\n  $ linekeeper simulator start')
    .action((_: object, command: Command) => change(command, { running: true }));
  simulator
    .command('stop')
    .description('Stops them; what they would have done is not made up for.')
    .addHelpText('after', '\nExample:\n  $ linekeeper simulator stop')
    .action((_: object, command: Command) => change(command, { running: false }));
  simulator
    .command('speed')
    .description("Lets the sandbox's time run faster than real time while they live.")
    .argument('<times>', 'for example 60: a minute each second', readSpeed)
    .addHelpText('after', '\nExample:\n  $ linekeeper simulator speed 60')
    .action((speed: number, _: object, command: Command) => change(command, { speed }));
}
