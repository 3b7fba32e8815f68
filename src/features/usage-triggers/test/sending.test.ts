import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { ACCOUNT } from '../../../../test/support/fleet.ts';
import { makeTriggerScene } from './scene.ts';

const { world, made, locate, newMonth, month } = await makeTriggerScene();

beforeEach(newMonth);

describe('what a usage trigger sends', () => {
  // proves 2.1/sendSmsNotification
  it('is a callback, and mail and SMS if enabled, with counter, threshold, account and month', async () => {
    await made({
      triggerName: 'half',
      thresholdValue: '50',
      sendEmailNotification: true,
      emailAddresses: 'ops@example.com',
      sendSmsNotification: true,
      smsPhoneNumbers: '5550109999',
    });
    await locate(1, 2, 3, 4, 5);
    await world.notifier.settle();
    const [mail] = (await world.operator('GET', '/mail?limit=1')).json();
    assert.deepEqual(mail.to, ['ops@example.com']);
    assert.match(mail.subject, new RegExp(`Location use of account ${ACCOUNT} reached 50 %`));
    assert.match(mail.text, /Used: +5 of 10/);
    assert.match(mail.text, /Threshold: +50 % \(5\)/);
    assert.match(mail.text, new RegExp(`Month: +${month()}-01 00:00 UTC to `));
    const [sms] = (await world.operator('GET', '/sms?limit=1')).json();
    assert.match(sms.text, new RegExp(`^half: Location use of account ${ACCOUNT} is 5 of 10 in ${month()}`));
    const [callback] = (
      await world.operator('GET', `/callbacks?serviceName=Location&accountName=${ACCOUNT}&limit=1`)
    ).json();
    assert.deepEqual(callback.payload.usage, { used: 5, allowed: 10, percent: 50, month: month() });
    assert.equal(callback.payload.trigger.triggerName, 'half');
  });

  // proves 2.1/sendEmailNotification
  it('is only the callback by default', async () => {
    const before = (await world.operator('GET', '/mail?limit=1000')).json().length;
    await made({ thresholdValue: '10', emailAddresses: 'ops@example.com', smsPhoneNumbers: '5550109999' });
    await locate(1);
    assert.equal((await world.operator('GET', '/mail?limit=1000')).json().length, before);
  });

  it('states the consequence for the service: it stays open, closes, is closed, or actions are paused', async () => {
    /** Time passes, so that the newest can be identified. */
    const lastSentence = async (): Promise<string> => {
      const [{ text }] = (await world.operator('GET', '/mail?limit=1')).json();
      world.pass(1_000);
      return text.trimEnd().split('\n').at(-1);
    };
    world.pass(1_000);
    const asked = { sendEmailNotification: true, emailAddresses: 'ops@example.com' };
    await made({ ...asked, thresholdValue: '10' });
    await locate(1);
    assert.equal(await lastSentence(), 'The service stays open beyond the subscribed number.');
    // One trigger without excess decides for all.
    await made({ thresholdValue: '1000', allowExcess: false });
    await made({ ...asked, thresholdValue: '20' });
    await locate(2);
    assert.equal(await lastSentence(), 'The service closes when all 10 are used.');
    await made({ ...asked, thresholdValue: '90' });
    await world.operator('POST', '/actions/pause');
    await locate(3, 4, 5, 6, 7, 8, 9);
    assert.equal(await lastSentence(), 'The service stays open beyond the subscribed number.');
    await world.operator('POST', '/actions/resume');
    await made({ ...asked, thresholdValue: '100' });
    await locate(10);
    assert.equal(await lastSentence(), 'The service is closed until the month ends.');
  });
});
