import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, it } from 'node:test';
import { ACCOUNT, asUser, MANAGED, USER } from '../../../../test/support/fleet.ts';
import { byImei, imei, LOCATION_FLEET, placeOf } from '../../../../test/support/location-fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import { signIn } from '../../console/test/scene.ts';

const PASSWORD = 'pass"word-1';

/** Answers 500 with what it was sent, in the body and in a header. */
const heard: { headers: Record<string, unknown>; text: string }[] = [];
const echo = createServer((request, response) => {
  let text = '';
  request.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  request.on('end', () => {
    heard.push({ headers: request.headers, text });
    const { password } = JSON.parse(text);
    response.writeHead(500, {
      'set-cookie': 'a=b',
      'x-hostile': '<script>x</script>',
      'x-echo': `${password}`,
    });
    response.end(text);
  });
});
await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve));
after(() => {
  echo.closeAllConnections();
  echo.close();
});

const world = await makeWorld();
await world.import(LOCATION_FLEET);
/** Its session outlives the moves of the clock, which end a session of tokens. */
const user = await signIn(world, USER);
const operator = await signIn(world);
const { call: byTokens } = await asUser(world);
const url = `http://127.0.0.1:${(echo.address() as AddressInfo).port}/hook`;
const at = (path: string, account = ACCOUNT) => `/m2m/v1/callbacks/${account}${path}`;
const get = (path: string) => user.call('GET', at(path));
const put = (serviceName: string, body: object = {}) =>
  user.call('PUT', at(`/name/${serviceName}`), { url, username: 'hook', password: PASSWORD, ...body });

/** The newest callback of the service, tried once, and its attempt's request. */
async function newest(serviceName: string) {
  const { deliveries } = (await get(`/log?serviceName=${serviceName}&limit=1`)).json();
  const { id } = deliveries[0];
  const delivery = (await get(`/deliveries/${id}`)).json();
  const request = (attempt = 1) => get(`/deliveries/${id}/attempts/1/${attempt}`);
  return { id, delivery, request };
}

async function sendTest() {
  world.pass(1);
  await user.call('POST', at('/test'), { event: 'niddUplink' });
  await world.delivery.settle();
  return newest('NiddService');
}

const headersOf = (request: { headers: { name: string; value: string }[] }) =>
  new Map(request.headers.map(({ name, value }) => [name, value]));

describe('GET /m2m/v1/callbacks/{accountName}/deliveries/{messageId}/attempts/{series}/{attempt}', () => {
  it('200: shows the request as it was sent, with a signature that the secret of the listener verifies', async () => {
    const { secret } = (await put('NiddService')).json();
    const { id, request } = await sendTest();
    const shown = (await request()).json();
    assert.deepEqual((await byTokens('GET', at(`/deliveries/${id}/attempts/1/1`))).json(), shown);
    const { headers, text } = heard.at(-1)!;
    assert.equal(shown.signature, 'verifies');
    assert.deepEqual([shown.url, shown.isChanged, shown.isWithheld], [url, false, false]);
    for (const [name, value] of headersOf(shown)) assert.equal(headers[name], value, name);
    assert.deepEqual(JSON.parse(shown.body), {
      ...JSON.parse(text),
      username: '(hidden)',
      password: '(hidden)',
    });
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    const content = `${id}.${headersOf(shown).get('webhook-timestamp')}.${text}`;
    const expected = `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
    assert.equal(headersOf(shown).get('webhook-signature'), expected);
  });

  it('200: shows the headers of an answer that failed, without cookies and credentials', async () => {
    const { delivery } = await sendTest();
    const [{ status, body, headers }] = delivery.attempts;
    assert.equal(status, 500);
    assert.match(headers, /^set-cookie: \(hidden\)$/m);
    assert.match(headers, /^x-hostile: <script>x<\/script>$/m);
    assert.match(headers, /^x-echo: \(hidden\)$/m);
    assert.match(body, /"password":"\(hidden\)"/);
    assert.doesNotMatch(JSON.stringify(delivery.attempts), /pass.{1,4}word-1/);
  });

  it('200: verifies by the previous secret for a day, and says if it cannot be made again or has no listener', async () => {
    const { request } = await sendTest();
    const seen = async () => (await request()).json();
    world.pass(1);
    await put('NiddService', { rotateSecret: true });
    assert.equal((await seen()).signature, 'verifies');
    world.pass(25 * 3_600_000);
    const gone = await seen();
    assert.deepEqual([gone.signature, gone.isChanged], ['changed', true]);
    assert.equal(headersOf(gone).has('webhook-signature'), false);

    const later = await sendTest();
    assert.equal((await later.request()).json().signature, 'verifies');
    await put('NiddService', { password: 'another' });
    assert.equal((await later.request()).json().signature, 'changed');
    const removed = await user.call('DELETE', at('/name/NiddService'));
    assert.equal(removed.statusCode, 200, removed.body);
    const alone = (await later.request()).json();
    assert.deepEqual([alone.signature, alone.url, alone.headers], ['noListener', null, []]);
    assert.doesNotMatch(alone.body, /password/);
  });

  it('400: does not know an attempt that was not made, or is of another account', async () => {
    const { id, request } = await newest('NiddService');
    const elsewhere = await operator.call('GET', at(`/deliveries/${id}/attempts/1/1`, MANAGED));
    for (const answer of [await request(4), elsewhere])
      assert.deepEqual(
        [answer.statusCode, answer.json().errorCode],
        [400, 'UnifiedWebService.REQUEST_FAILED.Callback.NotFound'],
      );
  });

  it('200: withholds a position whose consent was withdrawn: body, signature and answer', async () => {
    await put('DeviceLocation');
    await user.call('POST', '/loc/v1/devicelocations', {
      accountName: ACCOUNT,
      accuracyMode: 0,
      cacheMode: 1,
      deviceList: byImei(3),
    });
    await world.engine.settle();
    await world.delivery.settle();
    const { request } = await newest('DeviceLocation');
    const place = new RegExp(String(placeOf(3).lat));
    const before = (await request()).json();
    assert.match(before.body, place);
    assert.equal(before.signature, 'verifies');

    const excluded = await user.call('POST', '/loc/v1/devicelocations/action/consents', {
      accountName: ACCOUNT,
      deviceList: [{ id: imei(3), kind: 'IMEI', consent: 3 }],
    });
    assert.equal(excluded.statusCode, 200, excluded.body);
    const { delivery } = await newest('DeviceLocation');
    const shown = (await request()).json();
    assert.equal(shown.isWithheld, true);
    assert.equal(shown.signature, 'changed');
    assert.equal(headersOf(shown).has('webhook-signature'), false);
    assert.doesNotMatch(JSON.stringify([shown, delivery]), place);
    assert.deepEqual([delivery.attempts[0].body, delivery.attempts[0].headers], ['', null]);
  });
});

describe('POST /m2m/v1/callbacks/{accountName}/test', () => {
  it('200: sends the given payload with a new request id', async () => {
    await put('NiddService');
    const sample = (await get('/events/niddUplink')).json();
    assert.equal(sample.serviceName, 'NiddService');
    world.pass(1);
    const payload = { ...sample.payload, requestId: 'mine', note: '</script> 🎈', password: 'not sent' };
    const sent = await user.call('POST', at('/test'), { event: 'niddUplink', payload });
    assert.equal(sent.statusCode, 200, sent.body);
    await world.delivery.settle();
    const { note, requestId, password } = JSON.parse(heard.at(-1)!.text);
    assert.deepEqual([note, requestId, password], [payload.note, sent.json().requestId, PASSWORD]);
    assert.equal((await newest('NiddService')).delivery.payload.note, payload.note);
  });

  it('400: refuses a payload that is no object, or is larger than 64 KiB', async () => {
    for (const payload of [null, [], 'text', 7, { text: 'x'.repeat(70_000) }]) {
      const answer = await user.call('POST', at('/test'), { event: 'niddUplink', payload });
      assert.equal(answer.statusCode, 400, JSON.stringify(payload).slice(0, 40));
    }
  });
});
