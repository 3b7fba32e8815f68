import { row, type Section, testsIn } from '../row.ts';

const reports = testsIn('src/features/location-reports/test/read-report.api.test.ts');
const exclusions = testsIn('src/features/consents/test/exclusions.api.test.ts');
const levels = testsIn('src/features/consents/test/levels.api.test.ts');
const consents = testsIn('test/flows/consents.flow.test.ts');
const activation = testsIn('src/features/managed-accounts/test/activation.api.test.ts');
const managed = testsIn('test/flows/managed-accounts.flow.test.ts');
const triggers = testsIn('src/features/trigger-evaluation/test/changed-triggers.test.ts');
const APPEND =
  '200: append adds, replace and no type replace; the ledger has each difference with who made it';

export const states: readonly Section[] = [
  {
    number: '3',
    title: 'States and transitions',
    rows: [
      row(
        'report queued, cancelled',
        'becomes cancelled, the answer has the txid',
        reports('200: cancels a report that is queued; nothing is asked for and nothing billed'),
      ),
      row(
        'report in progress, cancelled',
        'stays in progress: it cannot be cancelled',
        reports('400: cannot cancel a report that is <status>'),
      ),
      row(
        'report completed, time',
        'is gone 30 days later',
        reports("400: a transaction that is unknown, malformed, another account's, or has expired"),
      ),
      row(
        'exclusion list, append',
        'is extended, or made',
        exclusions(APPEND, '200: makes the list where there was none, and dates it'),
      ),
      row('exclusion list, replace or no type', 'is replaced', exclusions(APPEND)),
      row(
        'exclusion list, allDevice true',
        'all devices are excluded',
        exclusions('200: allDevice changes only when it is sent, and never the list'),
        testsIn('src/features/consents/test/withheld.test.ts')(
          'by allDevice, all of them, and by the list again when it is lifted',
        ),
      ),
      row(
        'all excluded, allDevice false with an empty list',
        'all are eligible again',
        exclusions('200: an empty list with allDevice false clears both, also as append'),
      ),
      row(
        'consent level, PUT',
        'the level sent; QUEUED at once, callbacks for the devices',
        levels('200: answers both spellings of the id, and the level is in force with its job'),
        consents('about precise location: one callback for each device, all with the same transaction id'),
      ),
      row(
        'managed account added, provision',
        'activated with Success, billed with the primary',
        activation('succeeds with a new transaction id, in both spellings, and the service as it is spelt'),
        managed(
          'an account is added, activated, cancelled, added again and activated again; each step needs the id of the one before',
        ),
        testsIn('src/features/usage-triggers/test/firing.test.ts')(
          'counts the uses of the accounts that are billed with its own',
        ),
      ),
      row(
        'managed account, provision impossible',
        'Fail with a reason',
        activation(
          '200: fails for an account that is activated, by the id of its addition and of its activation, and names the latter',
        ),
      ),
      row(
        'price plan trigger, active',
        'active or not, as sent',
        triggers(
          'that was switched off, deleted or turned around before the end fires nothing',
          'that is switched on again waits for the end of the cycle in which that was',
        ),
      ),
    ],
  },
];
