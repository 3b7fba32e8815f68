import { accountOf, castOf, imeiOf } from './cast.ts';
import type { Scenario } from './scenario.ts';

const NR = 4;
const DEVICES = 4;
const ROUTE = 'GET /loc/v1/locationreports/{accountName}/report/{txid}/index/{startIndex}';

export const offlineFleet: Scenario = {
  name: 'offline-fleet',
  summary: 'Most of a fleet is out of coverage when it is located; who comes back is located then.',
  accountName: accountOf(NR),
  fleet(url, now) {
    const cast = castOf({ scenario: NR, devices: DEVICES, listens: ['Location'] }, url, now);
    return {
      ...cast,
      devices: cast.devices.map((device, n) => ({
        ...device,
        simulation: { online: n === 0, position: { lat: 32.9 + n / 100, lon: -97.1, radius: 300 } },
      })),
      consents: [{ accountName: accountOf(NR), level: 0 }],
    };
  },
  async play({ operator, client, say, check, advance }) {
    const accountName = accountOf(NR);
    say(`A report about ${DEVICES} devices is asked for; three of them are out of coverage.`);
    const { txid } = await client.call('POST /loc/v1/locationreports', {
      body: {
        accountName,
        cacheMode: '2',
        deviceList: Array.from({ length: DEVICES }, (_, n) => ({ id: imeiOf(NR, n + 1), kind: 'IMEI' })),
      },
    });
    const located = async () => {
      const { devLocationList } = await client.call(ROUTE, { path: { accountName, txid, startIndex: 0 } });
      return devLocationList.filter(({ pd }) => pd?.x !== undefined).length;
    };
    await advance('PT1M');
    check('one device is located', (await located()) === 1);

    say('One of the others comes back into coverage.');
    await operator.call('PATCH /operator/v1/devices/{kind}/{id}/simulation', {
      path: { kind: 'imei', id: imeiOf(NR, 2) },
      body: { online: true },
    });
    await advance('PT1M');
    check('it is located without being asked for again', (await located()) === 2);

    say('The rest comes back as well, and two hours pass.');
    for (let n = 3; n <= DEVICES; n++)
      await operator.call('PATCH /operator/v1/devices/{kind}/{id}/simulation', {
        path: { kind: 'imei', id: imeiOf(NR, n) },
        body: { online: true },
      });
    await advance('PT2H');
    check('all are located', (await located()) === DEVICES);
  },
  lookAt: [
    `linekeeper devices list ${accountOf(NR)}`,
    `linekeeper callbacks list --account ${accountOf(NR)}`,
  ],
};
