import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseNotification } from './parse-notification.ts';

const least = { notificationType: 'PerEvent', callback: true };
const notificationOf = (given: unknown) => {
  const { value, problems } = parseNotification(given);
  assert.ok(value !== undefined, JSON.stringify(problems));
  return value;
};

describe('the notification of a trigger', () => {
  // proves 2.2.3/notificationType 2.2.3/emailNotification price-plan-triggers/notification-fields
  it('has defaults for everything except its type and the callback flag', () =>
    assert.deepEqual(notificationOf(least), {
      type: 'PerEvent',
      callback: true,
      email: false,
      groupName: undefined,
      reminders: undefined,
      emailRecipients: [],
      sms: false,
      smsNumbers: [],
      severity: 'Notice',
    }));

  const cases: Record<string, [object, object]> = {
    'is read in any letter case, with flags as text': [
      { notificationType: 'dailysummary', callback: 'FALSE', severity: 'CRITICAL' },
      { type: 'DailySummary', callback: false, severity: 'Critical' },
    ],
    'may mail to a group': [
      { emailNotification: true, notificationGroupName: ' Desk ' },
      { email: true, groupName: 'Desk' },
    ],
    'may mail to addresses, each once': [
      { emailNotification: 'true', externalEmailRecipients: 'a@x.example, b@x.example,A@X.example' },
      { email: true, emailRecipients: ['a@x.example', 'b@x.example'] },
    ],
    'may send SMS': [
      { smsNotification: true, smsNumbers: [{ number: '5550100001', carrier: 'Linekeeper' }] },
      { sms: true, smsNumbers: [{ number: '5550100001', carrier: 'Linekeeper' }] },
    ],
    'may have anything for numbers where no SMS is wanted': [
      { smsNotification: false, smsNumbers: [{ number: '', carrier: null }] },
      { sms: false, smsNumbers: [] },
    ],
    'may remind': [
      { reminder: true, notificationFrequencyFactor: 3, notificationFrequencyInterval: 'hourly' },
      { reminders: { count: 3, interval: 'Hourly' } },
    ],
    'may remind under the other spelling': [
      { reminder: 'true', notificationFequencyFactor: 2, notificationFrequencyInterval: 'Weekly' },
      { reminders: { count: 2, interval: 'Weekly' } },
    ],
    'sends no reminders by default': [
      { reminder: false, notificationFrequencyFactor: 3, notificationFrequencyInterval: 'Daily' },
      { reminders: undefined },
    ],
    'does not remind with a number of 0': [
      { reminder: true, notificationFrequencyFactor: 0, notificationFrequencyInterval: 'Daily' },
      { reminders: undefined },
    ],
  };
  // proves 2.2.3/notificationGroupName 2.2.3/notificationFrequencyFactor 2.2.3/notificationFrequencyInterval
  // proves 2.2.3/externalEmailRecipients 2.2.3/smsNotification 2.2.3/smsNumbers 2.2.3/reminder 2.2.3/severity
  // proves 8/notificationFrequencyInterval price-plan-triggers/reminder-spelling
  for (const [name, [given, expected]] of Object.entries(cases))
    it(name, () => {
      const value = notificationOf({ ...least, ...given });
      for (const [field, wanted] of Object.entries(expected))
        assert.deepEqual(value[field as keyof typeof value], wanted);
    });

  const sms = (...smsNumbers: object[]) => ({ smsNotification: true, smsNumbers });
  const refused: Record<string, [object, string]> = {
    'without a type': [{ notificationType: null }, '/notificationType'],
    'of an unknown type': [{ notificationType: 'Weekly' }, '/notificationType'],
    'without saying whether there is a callback': [{ callback: undefined }, '/callback'],
    'with a callback that is neither true nor false': [{ callback: 'maybe' }, '/callback'],
    'with mail but no recipient': [
      { emailNotification: true, externalEmailRecipients: ' , ' },
      '/emailNotification',
    ],
    'with what is no address': [
      { externalEmailRecipients: 'a@x.example;b@x.example' },
      '/externalEmailRecipients',
    ],
    'with more addresses than can be': [
      { externalEmailRecipients: Array.from({ length: 1_001 }, (_, i) => `a${i}@x.example`).join() },
      '/externalEmailRecipients',
    ],
    'with a group name that is too long': [
      { notificationGroupName: 'x'.repeat(101) },
      '/notificationGroupName',
    ],
    'with SMS but no recipient': [{ smsNotification: true }, '/smsNumbers'],
    'with SMS to an empty list': [sms(), '/smsNumbers'],
    'with a number that has not ten digits': [
      sms({ number: '15550100001', carrier: 'x' }),
      '/smsNumbers/0/number',
    ],
    'with a number without carrier': [sms({ number: '5550100001' }), '/smsNumbers/0/carrier'],
    'with reminders without number': [
      { reminder: true, notificationFrequencyInterval: 'Daily' },
      '/notificationFrequencyFactor',
    ],
    'with reminders without interval': [
      { reminder: true, notificationFrequencyFactor: 1 },
      '/notificationFrequencyInterval',
    ],
    'with more reminders than can be': [
      { notificationFrequencyFactor: 1_001 },
      '/notificationFrequencyFactor',
    ],
    'with an unknown interval': [
      { notificationFrequencyInterval: 'Yearly' },
      '/notificationFrequencyInterval',
    ],
    'of an unknown severity': [{ severity: 'Fatal' }, '/severity'],
  };
  // proves 2.2.3/notificationType 2.2.3/callback 2.2.3/emailNotification 2.2.3/notificationFrequencyInterval
  // proves 2.2.3/externalEmailRecipients 2.2.3/smsNotification 2.2.3/smsNumbers 2.2.3/severity
  // proves 8/notificationFrequencyInterval price-plan-triggers/reminder-spelling
  // proves price-plan-triggers/notification-fields
  for (const [name, [given, path]] of Object.entries(refused))
    it(`is refused ${name}`, () =>
      assert.deepEqual(
        parseNotification({ ...least, ...given }).problems?.map((problem) => problem.path),
        [`/notification${path}`],
      ));

  it('is refused if it is not an object', () =>
    assert.deepEqual(parseNotification([]).problems, [
      { path: '/notification', detail: 'must be an object' },
    ]));
});
