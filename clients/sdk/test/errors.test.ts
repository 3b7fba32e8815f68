import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, it } from 'node:test';
import { ACCOUNT } from '../../../test/support/fleet.ts';
import { createOperatorClient, LinekeeperError } from '../index.ts';
import { makeScene } from './scene.ts';

const { client, operatorClient, baseUrl } = await makeScene();

async function failureOf(call: Promise<unknown>): Promise<LinekeeperError> {
  const error = await call.then(
    () => assert.fail('it succeeded'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof LinekeeperError, String(error));
  return error;
}

describe('an error of the service', () => {
  it('is read where it has errorCode and errorMessage', async () => {
    const body = { accountName: ACCOUNT, deviceList: [] };
    const error = await failureOf(client().call('POST /loc/v1/locations', { body }));
    assert.deepEqual([error.kind, error.status, error.code], ['refused', 400, 'INVALID_PARAMETER']);
    assert.match(error.message, /^Empty device list/);
    assert.match(error.requestId ?? '', /^[\w-]{36}$/);
  });

  it('is read where it has error and error_description', async () => {
    const triggerId = '5c7d2b1e-0f43-4c38-9d6a-7f1f0a4f6b21';
    const error = await failureOf(client().call('GET /m2m/v2/triggers/{triggerId}', { path: { triggerId } }));
    assert.deepEqual(
      [error.status, error.body],
      [404, { error: error.code, error_description: error.message }],
    );
  });

  it('is read where it has a cause beside them', async () => {
    const body = { error: 'not_found', error_description: 'Not found.', cause: 'no such device' };
    const operator = createOperatorClient({
      baseUrl: '/api',
      operatorKey: 'k',
      fetch: async () => Response.json(body, { status: 404, headers: { 'retry-after': '7' } }),
    });
    const error = await failureOf(operator.call('GET /operator/v1/keys'));
    assert.deepEqual(
      [error.code, error.message, error.cause, error.retryAfterSeconds],
      ['not_found', 'Not found.', 'no such device', 7],
    );
  });

  it('is read where the gateway says it', async () => {
    const error = await failureOf(client({ clientSecret: 'wrong' }).call('GET /m2m/v2/triggers'));
    assert.deepEqual([error.status, error.code], [401, 'invalid_client']);
    const operator = createOperatorClient({ baseUrl: `${baseUrl}/elsewhere`, operatorKey: 'k' });
    const missing = await failureOf(operator.call('GET /operator/v1/keys'));
    assert.deepEqual([missing.status, missing.code], [404, '900906']);
  });

  it('is read where the operator gets a problem, with its list', async () => {
    const raw = JSON.stringify({ plans: [{ code: '' }] });
    const error = await failureOf(operatorClient.call('POST /operator/v1/import', { raw }));
    assert.equal(error.status, 422);
    const { errors, title } = error.body as { errors: { pointer: string }[]; title: string };
    assert.ok(error.message.startsWith(title));
    assert.equal(errors[0]?.pointer.startsWith('/plans/0'), true);
  });
});

describe('a service that is none', () => {
  const silent = createServer((request, response) => {
    if (request.url?.startsWith('/page')) response.end('<html>');
    if (request.url?.startsWith('/half')) response.write('{"half":');
  });
  after(() => {
    silent.closeAllConnections();
    silent.close();
  });
  const at = async (path: string, timeoutMs?: number) => {
    if (!silent.listening) await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    return createOperatorClient({
      baseUrl: `http://127.0.0.1:${port}${path}`,
      operatorKey: 'k',
      ...(timeoutMs !== undefined && { timeoutMs }),
    });
  };

  it('is told by the kind of the error: silent, half way, not there, another', async () => {
    const kindOf = async (path: string, timeoutMs?: number) =>
      (await failureOf((await at(path, timeoutMs)).call('GET /operator/v1/keys'))).kind;
    const kinds = await Promise.all([kindOf('/silent', 100), kindOf('/half', 100), kindOf('/page')]);
    assert.deepEqual(kinds, ['timedOut', 'timedOut', 'unreadable']);
    const nobody = createOperatorClient({ baseUrl: 'http://127.0.0.1:1', operatorKey: 'k' });
    assert.equal((await failureOf(nobody.call('GET /operator/v1/keys'))).kind, 'unreachable');
  });

  it('does not hide that the caller gave up', async () => {
    const reason = new Error('enough');
    const call = (await at('/silent')).call('GET /operator/v1/keys', { signal: AbortSignal.abort(reason) });
    await assert.rejects(call, reason);
  });
});
