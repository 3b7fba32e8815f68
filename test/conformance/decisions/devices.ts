import { row, type Section, testsIn } from '../row.ts';

const activate = testsIn('src/features/device-lifecycle/test/activate.api.test.ts');
const suspend = testsIn('src/features/device-lifecycle/test/suspend.api.test.ts');
const changes = testsIn('src/features/device-lifecycle/test/provisioning-changes.test.ts');
const plan = testsIn('src/features/plan-change/test/change.api.test.ts');
const monthly = testsIn('src/features/plan-change/test/monthly-limit.test.ts');
const assigned = testsIn('src/features/sim-secure/test/assign.api.test.ts');
const licenses = testsIn('src/features/sim-secure/test/subscriptions.api.test.ts');
const billed = testsIn('src/features/billing-summary/test/billed.api.test.ts');
const money = testsIn('src/features/usage/test/feed.api.test.ts');
const query = testsIn('src/features/device-management/test/query.api.test.ts');
const writing = testsIn('src/features/device-management/test/writing.api.test.ts');

const lines: Section = {
  number: 'D6',
  title: 'Devices, plans, licences and billing',
  rows: [
    row(
      'activation',
      'adds devices that nobody has; of each that cannot be activated it says why',
      activate(
        'adds devices that nobody has, with all of their identifiers',
        'tells of each device that cannot be activated why, and activates the others',
      ),
    ),
    row(
      'days of suspension',
      'counted from what was used; then the line returns by itself',
      suspend(
        'counts from the real history: what was used is no longer allowed',
        'fails when no days are left',
      ),
      changes(
        '200: a line that the operator suspended, here or by an import, returns to active after 90 days',
      ),
    ),
    row(
      'spellings of a plan change',
      'those of the interface and those of clients',
      plan(
        '200: takes a list with addresses, in the spellings of the interface and of clients, and keeps the places',
      ),
    ),
    row(
      'violated rules of a device',
      'a failure that is told, and the others are changed',
      plan('200: fails a device that is suspended, and changes the one beside it'),
    ),
    row(
      'four a month',
      'of the calendar where the account is',
      monthly('is counted by the calendar month where the account is, and not by its billing cycle'),
    ),
    row(
      'SKUs',
      'the four whatever their length',
      licenses(
        'lists one kind by its SKU, also by one that is longer than 20 characters, in any letter case',
      ),
    ),
    row(
      'too few licences',
      'go to the first devices of the request',
      assigned(
        '200: gives what is left to the first of the request, whatever the order in which devices are kept',
      ),
    ),
    row(
      'billing month',
      'named after the month in which its cycle begins, in the zone of the account',
      billed(
        'counts a billing month from the bill-cycle day of the month it is named after, in the zone of the account',
      ),
    ),
    row('money', 'exact to the last digit', money('keeps money as it was written, to the last digit')),
  ],
};

const records: Section = {
  number: 'D7',
  title: 'Device management',
  rows: [
    row(
      'queries',
      'answer an array; every field that the kind has is there',
      query(
        '200: answers an array of <kind> records with every field of the interface and no other',
        '200: has commands and modelmetadata for devices only, and null, {} or [] for what is unknown',
      ),
    ),
    row(
      'identifiers',
      'numbers also as text, a MAC in either form; each must match',
      query(
        '200: finds by <identifier>, as text too, and nothing else',
        '200: finds by deviceid, and by a MAC in either form; every given field must match',
      ),
    ),
    row(
      'pages',
      'by X-Next and by number',
      query('follow each other by X-Next, which the last one lacks, and by number'),
    ),
    row(
      'versions',
      'a write that saw an older one is refused, wherever it says so',
      writing('412: is not changed by who saw an older version, wherever its id stands'),
    ),
    row(
      'rules',
      'replaced whole, but for what names them; one that nobody can evaluate is kept and says so',
      writing(
        '200: is replaced whole; id, device, foreign id and creation stay, version and versionid are new',
        '200: that nobody can evaluate is kept as it was sent, and says that it is inert',
      ),
    ),
  ],
};

export const devices: readonly Section[] = [lines, records];
