import { Argument, type Command } from 'commander';
import { confirm, type YesOption } from '../confirm.ts';
import { invocationOf } from '../invocation.ts';
import { withListOptions } from '../list-options.ts';
import { dateTime } from '../parse-value.ts';
import { printFields, printLines, printOutcome } from '../print.ts';
import { type ListOptions, printList, type Row } from '../print-list.ts';
import type { Column } from '../table.ts';
import { addSimulate } from './simulate.ts';
import { IDENTIFIERS, withDevice } from './with-device.ts';

const LIST = 'GET /operator/v1/accounts/{accountName}/devices';
type Device = Row<typeof LIST>;

/** The kind and id of a device, in the form that `devices show` takes. */
function describeIdentifier(device: Device): string {
  const kind = IDENTIFIERS.find((name) => device[name]);
  return kind === undefined ? '' : `${kind} ${device[kind]}`;
}

const COLUMNS: readonly Column<Device>[] = [
  ['IDENTIFIER', describeIdentifier],
  ['KIND', (device) => device.kind],
  ['STATE', (device) => device.state],
  ['PLAN', (device) => device.servicePlan],
  ['NAME', (device) => device.record['name']],
];

async function remove(kind: string, id: string, options: YesOption, command: Command): Promise<void> {
  const invocation = invocationOf(command);
  await confirm(invocation, `Delete device ${kind} ${id} with all its data?`, options);
  const path = { kind, id };
  const answer = await invocation.api.call('DELETE /operator/v1/devices/{kind}/{id}', { path });
  printOutcome(invocation, answer, `Device ${kind} ${id} is deleted.`);
}

async function erasePositions(kind: string, id: string, options: YesOption, command: Command): Promise<void> {
  const invocation = invocationOf(command);
  await confirm(invocation, `Erase all coordinates of device ${kind} ${id}?`, options);
  const path = { kind, id };
  const answer = await invocation.api.call('DELETE /operator/v1/devices/{kind}/{id}/positions', { path });
  printOutcome(invocation, answer, `Erased positions: ${answer.erased}.`);
}

const STATES = ['pre-active', 'active', 'suspend', 'deactive'] as const;

async function setState(
  kind: string,
  id: string,
  state: (typeof STATES)[number],
  _: object,
  command: Command,
): Promise<void> {
  const invocation = invocationOf(command);
  const device = await invocation.api.call('POST /operator/v1/devices/{kind}/{id}/state', {
    path: { kind, id },
    body: { state },
  });
  printOutcome(invocation, device, `Device ${kind} ${id} is ${device.state}.`);
}

async function move(
  kind: string,
  id: string,
  accountName: string,
  _: object,
  command: Command,
): Promise<void> {
  const invocation = invocationOf(command);
  const device = await invocation.api.call('POST /operator/v1/devices/{kind}/{id}/move', {
    path: { kind, id },
    body: { accountName },
  });
  printOutcome(invocation, device, `Device ${kind} ${id} belongs to account ${device.accountName}.`);
}

async function showConsents(
  kind: string,
  id: string,
  query: { from?: string; to?: string },
  command: Command,
): Promise<void> {
  const invocation = invocationOf(command);
  const path = { kind, id };
  const history = await invocation.api.call('GET /operator/v1/devices/{kind}/{id}/consents', { path, query });
  const lines = history.intervals.map(({ from, to, coarse, precise, basis, actor }) => {
    const allowed = [coarse && 'coarse', precise && 'precise'].filter(Boolean).join(' and ') || 'nothing';
    return `${from} to ${to}  ${allowed}  by ${basis}${actor === null ? '' : `, ${actor}`}`;
  });
  printLines(invocation, history, lines);
}

async function showSessions(kind: string, device: string, _: object, command: Command): Promise<void> {
  const invocation = invocationOf(command);
  const query = { kind, device };
  const sessions = await invocation.api.call('GET /operator/v1/sessions', { query });
  const lines = sessions.map(
    ({ nas, sessionId, state, startedAt, inputBytes, outputBytes, apn, closeCause }) =>
      [
        `${nas} ${sessionId}: ${state} since ${startedAt}`,
        `${inputBytes} bytes from the device, ${outputBytes} to it`,
        ...(apn === null ? [] : [apn]),
        ...(closeCause === null ? [] : [`ended by ${closeCause}`]),
      ].join(', '),
  );
  printLines(invocation, sessions, lines);
}

export function addDevices(program: Command): void {
  const devices = program.command('devices').description('Lists, shows, changes and deletes devices.');
  withListOptions(devices.command('list'))
    .description('Lists the devices of an account.')
    .argument('<account>', 'name of the account')
    .option('--state <state>', 'only those in this state, for example active')
    .addHelpText(
      'after',
      '\nExample:\n  $ linekeeper devices list 0000123456-00001 --state active --limit 500',
    )
    .action((accountName: string, options: ListOptions & { state?: string }, command: Command) =>
      printList(
        invocationOf(command),
        { route: LIST, path: { accountName }, query: { state: options.state }, columns: COLUMNS },
        options,
      ),
    );
  withDevice(devices.command('show'))
    .description('Shows one device, found by any of its identifiers.')
    .addHelpText('after', '\nExample:\n  $ linekeeper devices show imei 990000000000001')
    .action(async (kind: string, id: string, _: object, command: Command) => {
      const invocation = invocationOf(command);
      const path = { kind, id };
      printFields(invocation, await invocation.api.call('GET /operator/v1/devices/{kind}/{id}', { path }));
    });
  withDevice(devices.command('state'))
    .description("Changes the state of a device as the operator; the account's listeners get a callback.")
    .addArgument(new Argument('<state>', 'the new state').choices(STATES))
    .addHelpText('after', '\nExample:\n  $ linekeeper devices state imei 990000000000001 suspend')
    .action(setState);
  withDevice(devices.command('move'))
    .description('Moves a line to another account; to another customer only if it is deactive.')
    .argument('<account>', 'name of the new account')
    .addHelpText('after', '\nExample:\n  $ linekeeper devices move imei 990000000000001 0000123456-00002')
    .action(move);
  withDevice(devices.command('consents'))
    .description('Shows when, why and by whom the location of a device was allowed.')
    .option('--from <date>', 'beginning; default: 30 days before the end', dateTime)
    .option('--to <date>', 'end, not included; default: now', dateTime)
    .addHelpText(
      'after',
      '\nExample:\n  $ linekeeper devices consents imei 990000000000001 --from 2026-01-01T00:00:00Z',
    )
    .action(showConsents);
  withDevice(devices.command('sessions'))
    .description('Shows the data sessions of a line, open ones first.')
    .addHelpText('after', '\nExample:\n  $ linekeeper devices sessions imsi 001010000000001')
    .action(showSessions);
  addSimulate(devices);
  withDevice(devices.command('delete'))
    .description('Deletes a device with all its data.')
    .option('--yes', 'do not ask')
    .addHelpText('after', '\nExample:\n  $ linekeeper devices delete imei 990000000000001 --yes')
    .action(remove);
  withDevice(devices.command('erase-positions'))
    .description('Erases all coordinates of a device; the device stays.')
    .option('--yes', 'do not ask')
    .addHelpText('after', '\nExample:\n  $ linekeeper devices erase-positions imei 990000000000001 --yes')
    .action(erasePositions);
}
