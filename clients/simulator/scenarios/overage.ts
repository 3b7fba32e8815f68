import { accountOf, castOf, imeiOf, MB, monthlyTrigger, PLAN } from './cast.ts';
import type { Scenario } from './scenario.ts';

const NR = 1;
const TRIGGER = '6a0c3d0e-51a7-4f0e-8d11-9600000000a1';

export const overage: Scenario = {
  name: 'overage',
  summary: 'A device uses more than its plan includes; the trigger fires once and its callback arrives.',
  accountName: accountOf(NR),
  fleet: (url, now) => ({
    ...castOf({ scenario: NR, devices: 3, listens: ['AlertService'] }, url, now),
    pricePlanTriggers: [monthlyTrigger(NR, TRIGGER, 5)],
  }),
  async play({ operator, listener, say, check, advance, now, feed }) {
    const run = (await now()).getTime();
    const record = (n: number, at: Date) => ({
      id: `scenario-overage-${run}-${n}`,
      kind: 'imei',
      device: imeiOf(NR, 1),
      at: at.toISOString(),
      bytes: 3 * MB,
      apn: 'scenario.iot',
    });
    const firings = () =>
      operator.call('GET /operator/v1/firings', {
        query: { accountName: accountOf(NR), triggerId: TRIGGER },
      });

    say(`A device on ${PLAN} uses 3 MB of its 5.`);
    const first = record(1, await now());
    await feed([first]);
    check('nothing has fired at 3 MB', (await firings()).length === 0);

    say('A minute later it uses another 3 MB.');
    const second = record(2, await advance('PT1M'));
    await feed([second]);
    const fired = await firings();
    check('the trigger has fired once', fired.length === 1);
    check('from 3 MB to 6 MB', fired[0]?.before === 3 * MB && fired[0]?.after === 6 * MB);

    say('The network sends both records again.');
    const { duplicates } = await feed([first, second]);
    check('both were known', duplicates === 2);
    await advance('PT1M');
    check('and nothing fired again', (await firings()).length === 1);
    check('the callback has arrived, once', listener.received.length === 1);
  },
  lookAt: [
    `linekeeper firings --account ${accountOf(NR)}`,
    `linekeeper callbacks list --account ${accountOf(NR)}`,
  ],
};
