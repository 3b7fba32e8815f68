import type { Command } from 'commander';
import { confirm, type YesOption } from '../confirm.ts';
import { invocationOf } from '../invocation.ts';
import { withListOptions } from '../list-options.ts';
import { path } from '../operator-api.ts';
import { printFields, printOutcome } from '../print.ts';
import { type ListOptions, printList } from '../print-list.ts';
import type { Column } from '../table.ts';

const IDENTIFIERS = [
  'imei',
  'iccid',
  'imsi',
  'msisdn',
  'mdn',
  'min',
  'meid',
  'esn',
  'eid',
  'mac',
  'deveui',
] as const;

type Device = Readonly<Partial<Record<(typeof IDENTIFIERS)[number], string | null>>> & {
  readonly kind: string;
  readonly state: string;
  readonly servicePlan: string | null;
  readonly record: { readonly name?: string };
};

/** One that `devices show` takes as it is written. */
function describeIdentifier(device: Device): string {
  const kind = IDENTIFIERS.find((name) => device[name]);
  return kind === undefined ? '' : `${kind} ${device[kind]}`;
}

const COLUMNS: readonly Column<Device>[] = [
  ['IDENTIFIER', describeIdentifier],
  ['KIND', (device) => device.kind],
  ['STATE', (device) => device.state],
  ['PLAN', (device) => device.servicePlan],
  ['NAME', (device) => device.record.name],
];

async function remove(kind: string, id: string, options: YesOption, command: Command): Promise<void> {
  const invocation = invocationOf(command);
  await confirm(`Delete device ${kind} ${id} with everything that belongs to it?`, options);
  const { body } = await invocation.api.call(path`/devices/${kind}/${id}`, { method: 'DELETE' });
  printOutcome(invocation, body, `Device ${kind} ${id} is deleted.`);
}

async function erasePositions(kind: string, id: string, options: YesOption, command: Command): Promise<void> {
  const invocation = invocationOf(command);
  await confirm(`Erase all coordinates of device ${kind} ${id}?`, options);
  const { body } = await invocation.api.call<{ erased: number }>(path`/devices/${kind}/${id}/positions`, {
    method: 'DELETE',
  });
  printOutcome(invocation, body, `Erased positions: ${body.erased}.`);
}

const withDevice = (command: Command): Command =>
  command
    .argument('<kind>', `kind of the identifier: ${IDENTIFIERS.join(', ')}`)
    .argument('<id>', 'the identifier');

export function addDevices(program: Command): void {
  const devices = program.command('devices').description('Lists, shows and deletes devices.');
  withListOptions(devices.command('list'))
    .description('Lists the devices of an account.')
    .argument('<account>', 'name of the account')
    .option('--state <state>', 'only those in this state, for example active')
    .addHelpText(
      'after',
      '\nExample:\n  $ linekeeper devices list 0000123456-00001 --state active --limit 500',
    )
    .action((account: string, options: ListOptions & { state?: string }, command: Command) =>
      printList(
        invocationOf(command),
        { path: path`/accounts/${account}/devices`, query: { state: options.state }, columns: COLUMNS },
        options,
      ),
    );
  withDevice(devices.command('show'))
    .description('Shows one device, found by any of its identifiers.')
    .addHelpText('after', '\nExample:\n  $ linekeeper devices show imei 990000000000001')
    .action(async (kind: string, id: string, _: object, command: Command) => {
      const invocation = invocationOf(command);
      printFields(invocation, (await invocation.api.call<Device>(path`/devices/${kind}/${id}`)).body);
    });
  withDevice(devices.command('delete'))
    .description('Deletes a device with everything that belongs to it.')
    .option('--yes', 'do not ask')
    .addHelpText('after', '\nExample:\n  $ linekeeper devices delete imei 990000000000001 --yes')
    .action(remove);
  withDevice(devices.command('erase-positions'))
    .description('Erases all coordinates of a device; the device stays.')
    .option('--yes', 'do not ask')
    .addHelpText('after', '\nExample:\n  $ linekeeper devices erase-positions imei 990000000000001 --yes')
    .action(erasePositions);
}
