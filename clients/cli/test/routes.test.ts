import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import type { OperatorRoute } from '../../sdk/index.ts';
import { build } from './build.ts';
import { runCli } from './run-cli.ts';

const ROOT = new URL('../../../', import.meta.url);

const [ACCOUNT, ID] = ['0000123456-00001', '7a6d0f5e-9f0a-4c55-8f0e-2f60c1f5a001'];
const DEVICE = ['imei', '990000000000001'];

/** A command for each route. A new operator route needs a new line here, and so a command. */
const COMMANDS: Readonly<Record<OperatorRoute, readonly string[]>> = {
  'POST /operator/v1/import': ['import', 'package.json'],
  'GET /operator/v1/export': ['export'],
  'POST /operator/v1/usage': ['usage', 'package.json'],
  'POST /operator/v1/positions': ['positions', 'package.json'],
  'POST /operator/v1/readings': ['readings', 'package.json'],
  'POST /operator/v1/cells': ['cells', 'import', 'package.json'],
  'GET /operator/v1/usage/differences': ['reconcile', ACCOUNT],
  'GET /operator/v1/usage/doubtful': ['network', 'doubtful', ACCOUNT],
  'GET /operator/v1/accounts/{accountName}/statements/{serviceName}/{month}': [
    ...['accounts', 'statement', ACCOUNT, 'fota', '2026-01'],
  ],
  'GET /operator/v1/accounts/{accountName}/services': ['accounts', 'services', ACCOUNT],
  'GET /operator/v1/customers': ['customers', 'list'],
  'GET /operator/v1/customers/{ecpdId}': ['customers', 'show', '9000001'],
  'DELETE /operator/v1/customers/{ecpdId}': ['customers', 'delete', '9000001', '--yes', '--no-wait'],
  'DELETE /operator/v1/plans/{code}': ['plans', 'delete', 'IOT-5MB', '--yes'],
  'DELETE /operator/v1/rate-plan-groups/{ecpdId}/{ratePlanGroupId}': [
    ...['plans', 'delete-group', '9000001', '101', '--yes'],
  ],
  'GET /operator/v1/accounts': ['accounts', 'list'],
  'GET /operator/v1/accounts/{accountName}': ['accounts', 'show', ACCOUNT],
  'DELETE /operator/v1/accounts/{accountName}': ['accounts', 'delete', ACCOUNT, '--yes'],
  'GET /operator/v1/accounts/{accountName}/devices': ['devices', 'list', ACCOUNT],
  'DELETE /operator/v1/accounts/{accountName}/positions': ['accounts', 'erase-positions', ACCOUNT, '--yes'],
  'GET /operator/v1/devices/{kind}/{id}': ['devices', 'show', ...DEVICE],
  'DELETE /operator/v1/devices/{kind}/{id}': ['devices', 'delete', ...DEVICE, '--yes'],
  'GET /operator/v1/devices/{kind}/{id}/consents': ['devices', 'consents', ...DEVICE],
  'POST /operator/v1/devices/{kind}/{id}/move': ['devices', 'move', ...DEVICE, ACCOUNT],
  'POST /operator/v1/devices/{kind}/{id}/state': ['devices', 'state', ...DEVICE, 'active'],
  'DELETE /operator/v1/devices/{kind}/{id}/positions': ['devices', 'erase-positions', ...DEVICE, '--yes'],
  'GET /operator/v1/clock': ['clock'],
  'POST /operator/v1/clock': ['clock', 'advance', 'PT5M'],
  'GET /operator/v1/scenarios/runs': ['scenario', 'runs'],
  'POST /operator/v1/scenarios/runs': ['scenario', 'start', 'overage'],
  'POST /operator/v1/scenarios/runs/{runId}/stop': ['scenario', 'stop', ID],
  'GET /operator/v1/snapshots': ['snapshots', 'list'],
  'POST /operator/v1/snapshots': ['snapshots', 'make', 'before'],
  'POST /operator/v1/snapshots/{name}/restore': ['snapshots', 'restore', 'before', '--yes'],
  'DELETE /operator/v1/snapshots/{name}': ['snapshots', 'delete', 'before', '--yes'],
  'POST /operator/v1/reset': ['reset', '--yes'],
  'GET /operator/v1/database': ['workers'],
  'GET /operator/v1/service': ['processes'],
  'GET /operator/v1/plans': ['plans', 'list'],
  'GET /operator/v1/rate-plan-groups': ['plans', 'groups'],
  'POST /operator/v1/users/{username}/unlock': ['users', 'unlock', 'ws-user'],
  'POST /operator/v1/users/{username}/disable': ['users', 'disable', 'ws-user'],
  'POST /operator/v1/users/{username}/enable': ['users', 'enable', 'ws-user'],
  'POST /operator/v1/clients/{clientId}/disable': ['clients', 'disable', 'app'],
  'POST /operator/v1/clients/{clientId}/enable': ['clients', 'enable', 'app'],
  'GET /operator/v1/users': ['users', 'list'],
  'POST /operator/v1/users/{username}/password': ['users', 'reset-password', 'ws-user', '--yes'],
  'GET /operator/v1/clients': ['clients', 'list'],
  'POST /operator/v1/clients/{clientId}/rotate': ['clients', 'rotate', 'app'],
  'GET /operator/v1/keys': ['keys', 'list'],
  'POST /operator/v1/keys': ['keys', 'create', 'bot', '--scope', 'read'],
  'DELETE /operator/v1/keys/{name}': ['keys', 'delete', 'bot', '--yes'],
  'GET /operator/v1/audit': ['audit'],
  'GET /operator/v1/jobs': ['jobs', 'list'],
  'POST /operator/v1/jobs/{jobId}/retry': ['jobs', 'retry', ID],
  'GET /operator/v1/requests': ['requests'],
  'GET /operator/v1/requests/{id}': ['requests', 'show', ID],
  'PUT /operator/v1/requests/recording': ['requests', 'record', ACCOUNT, '15'],
  'PUT /operator/v1/faults': ['faults', 'set', '--status', '503'],
  'GET /operator/v1/faults': ['faults'],
  'DELETE /operator/v1/faults': ['faults', 'clear'],
  'GET /operator/v1/actions': ['actions'],
  'POST /operator/v1/actions/pause': ['actions', 'pause'],
  'POST /operator/v1/actions/resume': ['actions', 'resume'],
  'POST /operator/v1/callbacks/pause': ['callbacks', 'pause', ACCOUNT, 'Fota'],
  'POST /operator/v1/callbacks/resume': ['callbacks', 'resume', ACCOUNT, 'Fota'],
  'GET /operator/v1/callbacks': ['callbacks', 'list'],
  'POST /operator/v1/callbacks/resend': ['callbacks', 'resend', ID],
  'POST /operator/v1/events': ['trigger', 'Fota', '--account', ACCOUNT],
  'PATCH /operator/v1/devices/{kind}/{id}/simulation': ['devices', 'simulate', ...DEVICE, '--offline'],
  'PATCH /operator/v1/devices/simulation': ['devices', 'simulate-many', '[]'],
  'GET /operator/v1/network': ['network', 'elements'],
  'GET /operator/v1/network/differences': ['network', 'differences'],
  'GET /operator/v1/sessions': ['devices', 'sessions', ...DEVICE],
  'POST /operator/v1/network/check': ['network', 'check', '--repair', '--no-wait'],
  'GET /operator/v1/network/check/{jobId}': ['network', 'check', '--follow', ID],
  'POST /operator/v1/network/orders/{orderId}': ['network', 'confirm', ID, 'done'],
  'GET /operator/v1/network/{feed}/files': ['network', 'files', 'files'],
  'PUT /operator/v1/network/{feed}/files/{file}': ['usage', 'package.json', '--feed', 'files'],
  'POST /operator/v1/network/{element}/pause': ['network', 'pause', 'hlr-1'],
  'POST /operator/v1/network/{element}/resume': ['network', 'resume', 'hlr-1'],
  'GET /operator/v1/network/simulation': ['network'],
  'PATCH /operator/v1/network/simulation': ['network', 'set', 'normal'],
  'GET /operator/v1/simulator': ['simulator'],
  'PATCH /operator/v1/simulator': ['simulator', 'stop'],
  'GET /operator/v1/mail': ['mail'],
  'GET /operator/v1/sms': ['sms'],
  'GET /operator/v1/firings': ['firings'],
  'POST /operator/v1/firings/{firingId}/approve': ['firings', 'approve', ID],
  'POST /operator/v1/firings/{firingId}/reject': ['firings', 'reject', ID],
};

const { paths } = JSON.parse(readFileSync(new URL('openapi.json', ROOT), 'utf8')) as {
  paths: Record<string, Record<string, unknown>>;
};
const operatorRoutes = Object.entries(paths)
  .filter(([path]) => path.startsWith('/operator/v1/'))
  .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`));

const patternOf = (route: string) => new RegExp(`^${route.replaceAll(/\{\w+\}/g, '[^/]+')}$`);

describe('every call of the operator', () => {
  it('has a command', () => assert.deepEqual(operatorRoutes.toSorted(), Object.keys(COMMANDS).toSorted()));

  it('is what its command makes', async (t) => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(`${request.method} ${request.url?.replace(/\?.*/, '')}`);
      request.resume().once('end', () => response.end('{}'));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    t.after(() => {
      server.closeAllConnections();
      server.close();
    });
    const at = [
      '--url',
      `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      '--key',
      'k',
      '--json',
    ];
    const lines = Object.values(COMMANDS).map((args) => [...args, ...at]);
    // How a command handles an empty response does not matter here.
    for (const args of lines) await runCli(args, { cwd: fileURLToPath(ROOT) }).catch(() => {});
    const missing = operatorRoutes.filter((route) => !asked.some((one) => patternOf(route).test(one)));
    assert.deepEqual(missing, []);
  });
});

const program = await build();

describe('every command', () => {
  const leaves = (function* leavesOf(command: Command): Generator<Command> {
    for (const one of command.commands) {
      if (one.commands.length === 0 || one.registeredArguments.length > 0) yield one;
      yield* leavesOf(one);
    }
  })(program);

  it('has a help with a description and an example that begins with its own words', async () => {
    let seen = 0;
    for (const command of leaves) {
      const words = [command.parent!.name(), command.name()].filter((name) => name !== 'linekeeper');
      const { code, out } = await runCli([...words, '--help']);
      assert.equal(code, 0);
      const example = `Examples?:\n  \\$ .*linekeeper ${words.join(' ').replace(/ show$/, '( show)?')}\\b`;
      assert.match(out, new RegExp(example), words.join(' '));
      assert.ok(command.description().length > 10, words.join(' '));
      seen++;
    }
    assert.ok(seen > 40);
  });

  it('is found by its first word without loading all the others, except for completion, which is about them', async () => {
    for (const command of program.commands.map((one) => one.name())) {
      const { commands } = await build(command);
      assert.ok(
        commands.some((one) => one.name() === command),
        command,
      );
      assert.equal(commands.length === program.commands.length, command === 'completion', command);
    }
  });
});
