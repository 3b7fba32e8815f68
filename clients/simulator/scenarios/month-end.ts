import { accountOf, castOf, imeiOf, MB, monthlyTrigger } from './cast.ts';
import type { Scenario } from './scenario.ts';

const NR = 3;
const TRIGGER = '6a0c3d0e-51a7-4f0e-8d11-9600000000a3';

const nextMonth = (at: Date): Date => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1));

export const monthEnd: Scenario = {
  name: 'month-end',
  summary: 'A billing month closes: counting begins anew, and a late record still belongs where it happened.',
  accountName: accountOf(NR),
  fleet: (url, now) => ({
    ...castOf({ scenario: NR, devices: 2, listens: ['AlertService'] }, url, now),
    pricePlanTriggers: [monthlyTrigger(NR, TRIGGER, 4)],
  }),
  async play({ operator, say, check, advance, now, feed }) {
    const begun = await now();
    const use = (n: number, device: number, at: Date, megabytes: number) =>
      feed([
        {
          id: `scenario-month-end-${begun.getTime()}-${n}`,
          kind: 'imei',
          device: imeiOf(NR, device),
          at: at.toISOString(),
          bytes: megabytes * MB,
          apn: 'scenario.iot',
        },
      ]);
    const firings = () =>
      operator.call('GET /operator/v1/firings', {
        query: { accountName: accountOf(NR), triggerId: TRIGGER },
      });

    say('Two devices use data this month: one 5 MB, the other 3 MB.');
    await use(1, 1, begun, 5);
    await use(2, 2, begun, 3);
    const [first] = await firings();
    check('the first is beyond 4 MB', (await firings()).length === 1);

    const turn = nextMonth(begun);
    const seconds = Math.ceil((turn.getTime() - begun.getTime()) / 1_000) + 3_600;
    say(`The clock goes to an hour after the month has closed, ${turn.toISOString()}.`);
    await advance(`PT${seconds}S`);
    say('The second device uses 3 MB in the new month.');
    await use(3, 2, await now(), 3);
    check('which is below 4 MB again: nothing fires', (await firings()).length === 1);

    say('A record of the old month comes late: 2 MB of the second device.');
    await use(4, 2, begun, 2);
    const late = (await firings()).find(({ firingId }) => firingId !== first?.firingId);
    check('the old month is beyond 4 MB, and the firing says that it is late', late?.late === true);
    check('it is of the month that has closed', late?.cycle.to === first?.cycle.to);

    say('The first device uses 5 MB in the new month.');
    await use(5, 1, await now(), 5);
    const anew = (await firings()).find(({ cycle }) => cycle.from !== first?.cycle.from);
    check('the trigger fires anew, for the new month', anew !== undefined && anew.late === false);
  },
  lookAt: [`linekeeper firings --account ${accountOf(NR)}`, 'linekeeper clock'],
};
