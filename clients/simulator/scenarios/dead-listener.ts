import { accountOf, castOf } from './cast.ts';
import type { Scenario } from './scenario.ts';

const NR = 2;
const SERVICE = 'CarrierService';
const ATTEMPTS = 4;

export const deadListener: Scenario = {
  name: 'dead-listener',
  summary: 'A listener fails every attempt; what it missed is kept, and arrives when it is sent again.',
  accountName: accountOf(NR),
  fleet: (url, now) => castOf({ scenario: NR, devices: 1, listens: [SERVICE] }, url, now),
  async play({ operator, listener, say, check, advance }) {
    say('The listener answers 503 from now on, and a callback is sent to it.');
    listener.answer(503);
    const { requestId } = await operator.call('POST /operator/v1/events', {
      body: {
        accountName: accountOf(NR),
        serviceName: SERVICE,
        payload: { deviceResponse: { restoreResponse: { restored: true } } },
      },
    });
    const delivery = async () =>
      (
        await operator.call('GET /operator/v1/callbacks', {
          query: { accountName: accountOf(NR), requestId },
        })
      )[0];

    await advance('PT1S');
    check('the first attempt has failed', (await delivery())?.attempts.length === 1);
    for (let attempt = 2; attempt <= ATTEMPTS; attempt++) {
      say(`Five minutes pass: attempt ${attempt}.`);
      await advance('PT5M');
      check(`${attempt} attempts have failed`, (await delivery())?.attempts.length === attempt);
    }
    check('the callback is given up', (await delivery())?.state === 'failed');

    say('The listener works again, and the operator sends it again.');
    listener.answer(200);
    await operator.call('POST /operator/v1/callbacks/resend', { body: { requestId } });
    await advance('PT1S');
    check('it is delivered', (await delivery())?.state === 'delivered');
    check('the listener has it', listener.received.length === 1);
  },
  lookAt: [`linekeeper callbacks list --account ${accountOf(NR)} --json`],
};
