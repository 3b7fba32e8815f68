import { type Sandbox, startSandbox } from 'linekeeper/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';

const accountName = '0000700001-00001';
const imei = '990000000000011';
let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ demo: true });
}, 60_000);
afterAll(() => sandbox?.stop());

test('a line that uses more than 4 MB in a month is reported', { timeout: 30_000 }, async () => {
  const client = await sandbox.client();
  for (const name of ['CarrierService', 'AlertService'] as const) {
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
  expect(activated.payload).toMatchObject({ status: 'Success' });

  const at = await sandbox.clock.advance('P30D');
  const record = { id: 'usage-1', kind: 'imei', device: imei, at, bytes: 5_000_000 };
  await sandbox.operator.call('POST /operator/v1/usage', { raw: JSON.stringify([record]) });

  const alert = await sandbox.callbacks.waitFor({ service: 'AlertService' });
  expect(alert.signature).toBe('valid');
  const [mail] = await sandbox.mail({ subject: /4 MB/ });
  expect(mail?.to).toContain('ada.thornbury@larkmoor.example');
});
