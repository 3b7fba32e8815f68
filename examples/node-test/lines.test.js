import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startSandbox } from 'linekeeper/testing';

const accountName = '0000700001-00001';
const imei = '990000000000011';
let sandbox;
before(async () => {
  sandbox = await startSandbox({ demo: true });
});
after(() => sandbox.stop());

test('a line that uses more than 4 MB in a month is reported', async () => {
  const client = await sandbox.client();
  for (const name of ['CarrierService', 'AlertService']) {
    const body = { name, url: await sandbox.callbacks.url('/hooks') };
    await client.call('POST /m2m/v1/callbacks/{accountName}', { path: { accountName }, body });
  }

  const { requestId } = await client.call('POST /m2m/v1/devices/actions/activate', {
    body: {
      accountName,
      devices: [{ deviceIds: [{ id: imei, kind: 'imei' }] }],
      servicePlan: 'LK-PAYG-5MB',
      mdnZipCode: '76051',
    },
  });
  const activated = await sandbox.callbacks.waitFor({ service: 'CarrierService', payload: { requestId } });
  assert.equal(activated.payload.status, 'Success');

  const at = await sandbox.clock.advance('P30D');
  const record = { id: 'usage-1', kind: 'imei', device: imei, at, bytes: 5_000_000 };
  await sandbox.operator.call('POST /operator/v1/usage', { raw: JSON.stringify([record]) });

  const alert = await sandbox.callbacks.waitFor({ service: 'AlertService' });
  assert.equal(alert.signature, 'valid');
  const [mail] = await sandbox.mail({ subject: /4 MB/ });
  assert.ok(mail.to.includes('ada.thornbury@larkmoor.example'));
});
