import { row, rowsOf, type Section, testsIn } from '../row.ts';

const api = testsIn('src/features/usage-triggers/test/triggers.api.test.ts');
const firing = testsIn('src/features/usage-triggers/test/firing.test.ts');
const excess = testsIn('src/features/usage-triggers/test/excess.test.ts');
const sending = testsIn('src/features/usage-triggers/test/sending.test.ts');
const WHOLE = 'answers the whole trigger with both dates';

export const usageTriggers: readonly Section[] = [
  {
    number: '2.1',
    title: 'Usage trigger',
    rows: [
      row(
        'triggerId',
        'a UUID that names the trigger',
        api(WHOLE, '200: lists all triggers of the account without dates, and reads each'),
      ),
      row(
        'triggerName',
        'unique in the account',
        api(
          'refuses a name that the account has',
          'gives one of many who want the same name at once that name',
        ),
      ),
      row(
        'accountName',
        'the account; a trigger never moves to another',
        api(WHOLE, '400: does not move a trigger to another account of the user'),
      ),
      row(
        'serviceName',
        'location or fota, read in any case, answered as Location or fota',
        api('reads flags as text, and the service in any case', 'refuses an unknown service'),
      ),
      row(
        'thresholdValue',
        'percent of what is subscribed at which it fires, a string',
        api('takes <percentage> percent'),
        firing('fires when use reaches its percentage, and says why'),
      ),
      row(
        'allowExcess',
        'whether the service goes on beyond 100 percent',
        excess(
          'closes the service at 100 percent for the rest of the month, for the accounts billed with it too',
        ),
      ),
      row(
        'sendSmsNotification',
        'whether SMS are sent',
        sending(
          'is a callback, and the mail and SMS that it asks for, with counter, threshold, account and month',
        ),
        api('refuses SMS to nobody'),
      ),
      row(
        'smsPhoneNumbers',
        'numbers with commas between them, digits only',
        api('refuses a number with dashes', WHOLE),
      ),
      row(
        'sendEmailNotification',
        'whether mail is sent',
        sending('is the callback alone when it asks for nothing else'),
        api('refuses mail to nobody'),
      ),
      row(
        'emailAddresses',
        'addresses with commas between them, empty when none',
        api(
          'refuses an address that is none',
          'gives a trigger a name of its own and plain defaults where the caller says nothing',
        ),
      ),
      ...rowsOf(
        {
          createDate: 'a day, in the answer to a change only',
          updateDate: 'a day, in the answer to a change only',
        },
        api(WHOLE, '200: lists all triggers of the account without dates, and reads each'),
      ),
    ],
  },
  {
    number: '4.1',
    title: 'Usage triggers',
    rows: [
      row(
        'GET /subsc/v1/usage/accounts/{accountName}/triggers',
        'an array of triggers without dates',
        api(
          '200: lists all triggers of the account without dates, and reads each',
          '200: is an empty list for an account without one',
        ),
      ),
      row(
        'GET /subsc/v1/usage/accounts/{accountName}/triggers/{triggerId}',
        'one trigger',
        api(
          '200: lists all triggers of the account without dates, and reads each',
          "400: an id that is unknown, no id, or another customer's",
        ),
      ),
      row(
        'POST /subsc/v1/usage/triggers/{triggerId}',
        'changes what is sent, replaces lists whole, answers the trigger with both dates',
        api(
          '200: changes what is sent and keeps the rest',
          '400: a name of another trigger, another service, and lists that would be empty',
        ),
      ),
      row(
        'the session',
        "made with the primary account's credentials",
        api("refuses a session that was not made with the primary account's credentials"),
      ),
    ],
  },
];
