import { row, type Section, testsIn } from '../row.ts';

const read = testsIn('src/features/price-plan-triggers/parsing/parse-notification.test.ts');
const NOTIFICATIONS = 'src/features/trigger-notifications/test';
const tell = testsIn(`${NOTIFICATIONS}/notify-firings.test.ts`);
const remind = testsIn(`${NOTIFICATIONS}/reminders.test.ts`);
const sumUp = testsIn(`${NOTIFICATIONS}/summaries.test.ts`);
const LEAST = 'has defaults for all but its type and whether there is a callback';
const MAILED =
  'is a mail and an SMS to the recipients and the members of the group, with the cycle where the account is';

export const notification: readonly Section[] = [
  {
    number: '2.2.3',
    title: 'Notification of a price plan trigger',
    rows: [
      row(
        'notificationType',
        'PerEvent or DailySummary',
        read(LEAST, 'is refused of an unknown type', 'is refused without a type'),
        sumUp('tells nothing before the local day has ended, and then all of it in one message of each kind'),
      ),
      row(
        'callback',
        'whether there is a callback',
        read('is refused without saying whether there is a callback'),
        tell(
          'is a callback that names the line, the plan, the counter and the threshold in the unit of the trigger',
          'says nothing by a way that is not asked for',
        ),
      ),
      row(
        'emailNotification',
        'whether mail is sent',
        read(LEAST, 'is refused with mail to nobody'),
        tell(MAILED),
      ),
      row('notificationGroupName', 'the group to notify', read('may mail to a group'), tell(MAILED)),
      row(
        'notificationFrequencyFactor',
        'how many reminders; both spellings are read',
        read('may remind', 'may remind under the other spelling'),
        remind('are as many as it says, at its interval, by every way that it asks for'),
      ),
      row(
        'notificationFrequencyInterval',
        'Hourly, Daily or Weekly',
        read('may remind', 'is refused with an unknown interval'),
        remind('are as many as it says, at its interval, by every way that it asks for'),
      ),
      row(
        'externalEmailRecipients',
        'addresses with commas between them',
        read('may mail to addresses, each once', 'is refused with what is no address'),
        tell(MAILED),
      ),
      row(
        'smsNotification',
        'whether SMS are sent',
        read('may send SMS', 'is refused with SMS to nobody'),
        tell(MAILED),
      ),
      row(
        'smsNumbers',
        'ten digits and the carrier of each; used with smsNotification',
        read(
          'may send SMS',
          'is refused with a number that has not ten digits',
          'is refused with a number without carrier',
          'may have anything for numbers where no SMS is wanted',
        ),
      ),
      row(
        'reminder',
        'whether there are reminders',
        read('does not remind unless it says so'),
        remind('are as many as it says, at its interval, by every way that it asks for'),
      ),
      row(
        'severity',
        'Notice, Minor, Major or Critical',
        read('is read in any letter case, with flags as text', 'is refused of an unknown severity'),
      ),
    ],
  },
];
