import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { openListener } from '../../../../test/support/listener.ts';
import { createSmsHttp } from '../index.ts';

const NUMBER = '5551234567';
const message = { notificationId: 'n-1', to: [NUMBER], subject: null, text: 'Usage is at 90 %' };

function makeSms(t: TestContext, url: string, answerMs?: number) {
  const sms = createSmsHttp({ url, userAgent: 'Linekeeper/test', ...(answerMs && { answerMs }) });
  t.after(sms.close);
  return sms;
}

async function openGateway(t: TestContext, answer: RequestListener) {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/send?from=me`;
}

describe('an SMS', () => {
  it('is a POST of to, text and an id that is the same in each try and differs between recipients', async (t) => {
    const gateway = await openListener(202);
    const sms = makeSms(t, gateway.url);
    assert.deepEqual(await sms.send(message), [{ kind: 'sent' }]);
    await sms.send(message);
    await sms.send({ ...message, to: ['5557654321'] });
    const [first, again, other] = gateway.heard;
    assert.deepEqual(first?.body, { to: NUMBER, text: 'Usage is at 90 %', id: `n-1-${NUMBER}` });
    assert.deepEqual(again?.body, first?.body);
    assert.equal(other?.body['id'], 'n-1-5557654321');
    assert.equal(first?.headers['content-type'], 'application/json');
    assert.equal(first?.headers['user-agent'], 'Linekeeper/test');
    assert.equal(first?.headers.authorization, undefined);
  });

  it('has the credentials of the address as Basic authentication, and not in the request line', async (t) => {
    const gateway = await openListener();
    const url = gateway.url.replace('://', '://me%40x:p%3Aw@');
    await makeSms(t, url).send(message);
    const [{ headers, path } = assert.fail('nothing arrived')] = gateway.heard;
    assert.equal(headers.authorization, `Basic ${Buffer.from('me@x:p:w').toString('base64')}`);
    assert.equal(path, '/hook');
  });

  for (const status of [400, 401, 404, 422])
    it(`is given up when the gateway answers ${status}`, async (t) => {
      const gateway = await openListener(status);
      assert.deepEqual(await makeSms(t, gateway.url).send(message), [
        { kind: 'failed', reason: `the SMS gateway answered ${status}: answered ${status}` },
      ]);
    });

  for (const status of [302, 408, 425, 429, 500, 503])
    it(`is deferred when the gateway answers ${status}`, async (t) => {
      const gateway = await openListener(status);
      const [outcome] = await makeSms(t, gateway.url).send(message);
      assert.equal(outcome?.kind, 'deferred');
      assert.equal(gateway.heard.length, 1);
    });

  it('is deferred if the gateway does not answer in time, or does not listen', async (t) => {
    const gateway = await openListener('never');
    assert.deepEqual(await makeSms(t, gateway.url, 200).send(message), [
      { kind: 'deferred', reason: 'the SMS gateway does not answer', serverDown: true },
    ]);
    assert.deepEqual(await makeSms(t, 'http://127.0.0.1:1/').send(message), [
      { kind: 'deferred', reason: 'the SMS gateway cannot be reached', serverDown: true },
    ]);
  });

  it('is sent once the status says so, whatever the rest of the answer', async (t) => {
    const broken = await openGateway(t, (_request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('half', () => response.destroy());
    });
    assert.deepEqual(await makeSms(t, broken).send(message), [{ kind: 'sent' }]);
    const endless = await openGateway(t, (_request, response) => {
      response.writeHead(200);
      response.write('x'.repeat(200_000));
    });
    assert.deepEqual(await makeSms(t, endless, 500).send(message), [{ kind: 'sent' }]);
  });
});
