import { type Command, InvalidArgumentError } from 'commander';
import type { Body } from '../../sdk/index.ts';
import { wrongUsage } from '../failure.ts';
import { invocationOf } from '../invocation.ts';
import { parseBody } from '../parse-body.ts';
import { printFields, printOutcome } from '../print.ts';
import { withDevice } from './with-device.ts';

type Simulation = Body<'PATCH /operator/v1/devices/{kind}/{id}/simulation'>;

function position(text: string): NonNullable<Simulation['position']> {
  const [lat, lon, radius, ...more] = text.split(',').map(Number);
  if (
    lat === undefined ||
    lon === undefined ||
    more.length > 0 ||
    text.split(',').some((part) => part.trim() === '' || Number.isNaN(Number(part)))
  )
    throw new InvalidArgumentError(
      'It must be latitude,longitude or latitude,longitude,radius such as 32.9,-97.1,300.',
    );
  return { lat, lon, ...(radius !== undefined && { radius }) };
}

function milliseconds(text: string): number {
  if (!/^\d{1,6}$/.test(text))
    throw new InvalidArgumentError('It must be a number of milliseconds such as 500.');
  return Number(text);
}

interface Options {
  readonly online?: boolean;
  readonly offline?: boolean;
  readonly position?: Simulation['position'];
  readonly error?: string;
  readonly delay?: number;
  readonly reset?: boolean;
}

/** The network's default behaviour. */
const NORMAL: Simulation = { online: null, position: null, error: null, delayMs: null };

function simulationOf({ online, offline, position, error, delay, reset }: Options): Simulation {
  if (online && offline) throw wrongUsage('A device is online or offline, not both');
  return {
    ...(reset && NORMAL),
    ...(online && { online: true }),
    ...(offline && { online: false }),
    ...(position !== undefined && { position }),
    ...(error !== undefined && { error }),
    ...(delay !== undefined && { delayMs: delay }),
  };
}

async function simulate(kind: string, id: string, options: Options, command: Command): Promise<void> {
  const body = simulationOf(options);
  if (Object.keys(body).length === 0)
    throw wrongUsage(
      'Give at least one option; --help lists them',
      'linekeeper devices simulate imei 990000000000001 --offline',
    );
  const invocation = invocationOf(command);
  const route = 'PATCH /operator/v1/devices/{kind}/{id}/simulation';
  printFields(invocation, await invocation.api.call(route, { path: { kind, id }, body }));
}

async function simulateMany(given: string, _: object, command: Command): Promise<void> {
  const invocation = invocationOf(command);
  const route = 'PATCH /operator/v1/devices/simulation';
  const body = (await parseBody(invocation.around, given)) as Body<typeof route>;
  const answer = await invocation.api.call(route, { body });
  const unknown = answer.unknown?.map(({ kind, id }) => `${kind} ${id}`).join(', ');
  printOutcome(
    invocation,
    answer,
    `${answer.changed} ${answer.changed === 1 ? 'device' : 'devices'} changed${unknown ? `; unknown: ${unknown}` : ''}.`,
  );
}

export function addSimulate(devices: Command): void {
  withDevice(devices.command('simulate'))
    .description(
      'Sets how the simulated network treats a device; settings that you do not name stay unchanged.',
    )
    .option('--online', 'the device is reachable, and requests waiting for it continue')
    .option('--offline', 'the device is not reachable')
    .option('--position <lat,lon,radius>', 'position in degrees and metres', position)
    .option('--error <type>', 'locating the device fails with this error')
    .option('--delay <ms>', 'the device answers after this many milliseconds', milliseconds)
    .option('--reset', 'undo all earlier settings of the device first')
    .addHelpText(
      'after',
      '\nExample:\n  $ linekeeper devices simulate imei 990000000000001 --online --position 32.9,-97.1,300',
    )
    .action(simulate);
  devices
    .command('simulate-many')
    .description('Sets how the simulated network treats up to 1,000 devices at once.')
    .argument('<devices>', 'a JSON list of kind, id and settings; @file reads a file, @- standard input')
    .addHelpText(
      'after',
      `\nExample:\n  $ linekeeper devices simulate-many '[{"kind":"imei","id":"990000000000001","online":false}]'`,
    )
    .action(simulateMany);
}
