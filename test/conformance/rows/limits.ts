import { row, type Section, testsIn } from '../row.ts';

const attempts = testsIn('test/flows/callback-attempts.flow.test.ts');
const exclusions = testsIn('src/features/consents/test/exclusions.api.test.ts');
const reports = testsIn('src/features/location-reports/test/read-report.api.test.ts');
const refusals = testsIn('src/features/plan-change/test/refusals.api.test.ts');
const skus = testsIn('src/features/usage/services/sku.test.ts');

const values: Section = {
  number: '8',
  title: 'Limits',
  rows: [
    row(
      'excluded devices',
      '2,000 in a list',
      exclusions('400: refuses a list of more than 2,000, and nothing changes'),
      testsIn('src/features/consents/test/exclusion-limit.api.test.ts')(
        'counts after an append, and holds when many append at once',
      ),
    ),
    row(
      'devices in an exclusion answer',
      '2,000: a list is never longer',
      testsIn('src/features/consents/test/exclusion-limit.api.test.ts')(
        'counts after an append, and holds when many append at once',
      ),
    ),
    row('devices in a report answer', '1,000', reports('200: pages by 1,000 in an order that stays')),
    row(
      'reports',
      '30 days',
      reports("400: a transaction that is unknown, malformed, another account's, or has expired"),
    ),
    row(
      'devices in a location request',
      '10,000',
      testsIn('src/features/location-reports/test/create-report.api.test.ts')(
        'refuses 10,001 devices, stores nothing and bills nothing',
      ),
    ),
    row(
      'devices in a consent callback',
      '10,000 coarse, one precise',
      testsIn('test/flows/consents.flow.test.ts')(
        'come in parts of 10,000 devices, each device once',
        'about precise location: one callback for each device, all with the same transaction id',
      ),
    ),
    row(
      'plan changes',
      'four a month',
      testsIn('src/features/plan-change/test/monthly-limit.test.ts')(
        'can be changed four times a month; the fifth fails, and changes nothing',
      ),
    ),
    row(
      'skuNumber',
      '20 characters, the four SKUs aside',
      testsIn('src/features/sim-secure/license-skus.test.ts')(
        'are the four whatever their length, and others up to 20 characters',
      ),
    ),
    row(
      'firstName and lastName',
      '20 and 25 characters',
      testsIn('src/features/devices/place/place-of-use.test.ts')(
        'may have 20 and 25 characters: letters, digits, spaces, dashes, exclamation points and pound signs',
      ),
      refusals('400: refuse a first name of 21 characters', '400: refuse a last name of 26 characters'),
    ),
    row(
      'callback username and password',
      '40 characters',
      testsIn('src/features/callbacks/test/listeners.api.test.ts')(
        '200: takes a username and a password of 40 characters',
        '400: refuses a username over 40 characters and changes nothing',
        '400: refuses a password over 40 characters and changes nothing',
      ),
    ),
    row(
      'callback attempts',
      'four, 5 minutes apart',
      attempts(
        'gets four attempts, each 300 s after the end of the one before and never early, then it has failed',
      ),
    ),
    row(
      'callback archive',
      '30 days',
      testsIn('test/flows/callback-purge.flow.test.ts')(
        'keeps failed ones for 30 days and delivered ones for 7',
      ),
    ),
    row(
      'callback ports',
      'those listed',
      testsIn('src/adapters/callback-http/test/address-rules.test.ts')(
        'the ports are those of the interface, and any above 1024 only where loopback is open and meant',
      ),
    ),
    row(
      'suspendDuration',
      '30, 60, 90 or NextBillCycle',
      testsIn('src/features/price-plan-triggers/parsing/parse-pay-as-you-go.test.ts')(
        'may have the duration as a number',
        'may suspend until the next bill cycle, without billing, in any letter case',
        'is refused that suspends for another time',
      ),
    ),
    row(
      'allowances of location SKUs',
      '5K, 10K, 100K and 1M requests a month; aggregated ones by subscription',
      skus(
        'is <allowed> for the size <size>, whatever the prefix and the subscription say',
        'comes with the subscription for aggregated billing and other services, and is nothing without one',
      ),
    ),
    row(
      'notificationFrequencyInterval',
      'Hourly, Daily or Weekly',
      testsIn('src/features/price-plan-triggers/parsing/parse-notification.test.ts')(
        'may remind',
        'is refused with an unknown interval',
      ),
    ),
  ],
};

export const limits: readonly Section[] = [
  values,
  {
    number: '9',
    title: 'Versioning',
    rows: [
      row(
        'paths',
        'the version is part of each',
        testsIn('test/audit/routes.test.ts')('are exactly the listed ones, with the listed access'),
      ),
    ],
  },
];
