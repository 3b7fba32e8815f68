import { row, rowsOf, type Section, testsIn } from '../row.ts';

const change = testsIn('src/features/plan-change/test/change.api.test.ts');
const refusals = testsIn('src/features/plan-change/test/refusals.api.test.ts');
const monthly = testsIn('src/features/plan-change/test/monthly-limit.test.ts');
const skus = testsIn('src/features/sim-secure/license-skus.test.ts');
const licences = testsIn('src/features/sim-secure/test/subscriptions.api.test.ts');
const assign = testsIn('src/features/sim-secure/test/assign.api.test.ts');
const billed = testsIn('src/features/billing-summary/test/billed.api.test.ts');
const lines = testsIn('src/features/billing-summary/test/billed-lines.api.test.ts');
const wrong = testsIn('src/features/billing-summary/test/billed-refusals.api.test.ts');
const events = testsIn('src/features/callbacks/payloads/test/events.test.ts');

const refuse = (...what: readonly string[]) => refusals(...what.map((one) => `400: refuse ${one}`));
const notAsked = (...what: readonly string[]) =>
  wrong(...what.map((one) => `refuses ${one}, and nothing is asked for`));
const ADDRESSED =
  '200: takes a list with addresses, in the spellings of the interface and of clients, and keeps the places';
const names = testsIn('src/features/devices/place/place-of-use.test.ts');
const TYPES = 'have the licence types of the interface, with the configured prefix';
const EVERY = 'lists every kind of license that the account has, with what is left of it';

const planChange: Section = {
  number: '4.5',
  title: 'Plan change',
  rows: [
    row(
      'PUT or POST /m2m/v1/devices/actions/plan',
      'answers a request id; the result is a callback',
      change('200: <method> changes the plan, keeps who asked, and tells when it took effect'),
    ),
    row(
      'accountName',
      'needed when the session has several accounts',
      change(
        '200: without an account means the only one of the session; other kinds of identifiers are fine in a plain list',
      ),
      refusals('400: need the name of the account where a session has several'),
    ),
    row(
      'servicePlan',
      'the plan to assign',
      change('200: <method> changes the plan, keeps who asked, and tells when it took effect'),
      refuse('no plan', 'a plan that does not exist'),
    ),
    row(
      'deviceListWithServiceAddress',
      'devices and where they are used',
      change(ADDRESSED),
      refuse('an empty list with addresses'),
    ),
    row(
      'deviceIds',
      'imei of 15 or iccid of 20 digits, the imei first',
      change(ADDRESSED),
      refuse(
        'an imei of 14 digits beside an address',
        'an iccid of 19 digits beside an address',
        'an iccid before the imei',
        'a kind other than imei and iccid beside an address',
      ),
    ),
    row(
      'primaryPlaceOfUse',
      'address and customerName',
      change(ADDRESSED),
      refuse(
        'a device without a place of use',
        'a place of use without an address',
        'a place of use without a customer',
      ),
    ),
    row(
      'address',
      'no P.O. box, a state of two letters, a zip of 5 digits, US; both spellings of the first line',
      change(ADDRESSED),
      refuse(
        'a P.O. box',
        'an address without a city',
        'a state of more than two letters',
        'a zip of 4 digits',
        'a zip4 of 3 digits',
        'another country',
      ),
    ),
    row(
      'customerName',
      '20 and 25 characters of the allowed kinds',
      change(ADDRESSED),
      names(
        'may have 20 and 25 characters: letters, digits, spaces, dashes, exclamation points and pound signs',
      ),
      refuse(
        'a first name of 21 characters',
        'a last name of 26 characters',
        'a first name with an apostrophe',
      ),
    ),
    row(
      'currentServicePlan',
      'only records on that plan; none is an error',
      change('200: with a present plan changes the devices that are on it, and fails the others'),
      refuse('a present plan that none of the devices is on'),
    ),
    row(
      'rule: four a month',
      'the fifth change fails',
      monthly('can be changed four times a month; the fifth fails, and changes nothing'),
    ),
    row(
      'rule: suspended devices',
      'cannot be changed',
      change('200: fails a device that is suspended, and changes the one beside it'),
    ),
    row(
      'rule: fixed location',
      'needs an address that qualifies',
      change('200: an unlimited plan for a fixed location needs an address that qualifies'),
    ),
    row(
      'rule: supported devices',
      'others fail',
      change('200: fails devices whose model the plan does not support, or whose model nobody knows'),
    ),
    row(
      'rule: activated by SKU',
      'updated over the air before',
      change(
        '200: fails a device that is activated by SKU and not updated over the air, and changes the one beside it',
      ),
    ),
  ],
};

const simSecure: readonly Section[] = [
  {
    number: '2.10',
    title: 'SIM Secure licences',
    rows: [
      row(
        'SIMSec-IoT-Lt',
        'Lifetime: never removed',
        skus(TYPES),
        assign('200: does not take back a Lifetime licence'),
      ),
      row(
        'SIMSec-IoT',
        'Flexible: removed at any time',
        skus(TYPES),
        assign('200: takes licences back, and they can be given to others'),
      ),
      ...rowsOf(
        {
          'SVC-BUNDLE-KTO-SIMSEC-MRC': 'Flexible Bundle',
          'SVC-IOT-INTLG-TIERED-SIMSEC': 'flexible, of the intelligence bundle',
        },
        skus(TYPES),
      ),
      row('an entry', 'SKU, type, purchased, assigned and available', licences(EVERY)),
    ],
  },
  {
    number: '4.6',
    title: 'SIM Secure subscription count',
    rows: [
      row(
        'POST /m2m/v1/accounts/subscriptions/actions/list',
        'every licence of the account, or those of one SKU',
        licences(
          EVERY,
          'lists one kind by its SKU, also by one that is longer than 20 characters, in any letter case',
        ),
      ),
    ],
  },
];

const billing: readonly Section[] = [
  {
    number: '2.11',
    title: 'Billing usage summary',
    rows: [
      row(
        'totals, unit and cycle',
        'of all groups',
        billed(
          'answers an id at once, kept with its job, and the summary comes as DeviceUsage callback with that id',
        ),
      ),
      row(
        'usageApns',
        'with real-time rating',
        billed(
          'sums APNs by country, with their page, for an account with real-time rating; late records are the delayed part',
        ),
      ),
      row(
        'usageSegments',
        'without',
        billed(
          'sums rating groups by country, with delayed usage apart, for an account without real-time rating',
        ),
      ),
      row(
        'deviceIdentifier, label',
        'where the request named them',
        lines(
          'takes one device by <kind>, without lineLevel, and names it in the summary',
          'takes a label: the devices of the account that carry it, together or line by line',
        ),
        events(
          'a billing summary has usage by APN or by rating group, and device and label where they were named',
        ),
      ),
    ],
  },
  {
    number: '4.7',
    title: 'Billing data summary',
    rows: [
      row(
        'accountName',
        "may be absent where it is the session's only one",
        testsIn('src/features/billing-summary/test/billed.api.test.ts')(
          'answers an id at once, kept with its job, and the summary comes as DeviceUsage callback with that id',
          'is about the only account of the session where none is named, or null',
        ),
        notAsked('an account that does not exist'),
      ),
      row(
        'lineLevel',
        'line by line, or the account; may be absent with deviceId',
        notAsked('no lineLevel'),
        lines(
          'sends one callback for each line with usage when asked line by line, also for a device that was deleted',
        ),
      ),
      row(
        'billingCycle',
        'months of four-digit years, both ends included',
        notAsked(
          'no billingCycle',
          'a year of two digits',
          'month 0',
          'month 13',
          'a cycle that ends before it begins',
        ),
        billed(
          'counts a billing month from the bill-cycle day of the month it is named after, in the zone of the account',
        ),
      ),
      row(
        'deviceId',
        'EID of 32 digits or ICCID of 18 to 22',
        lines('takes one device by <kind>, without lineLevel, and names it in the summary'),
        notAsked('an EID of 31 digits', 'an ICCID of 17 digits', 'an ICCID of 23 digits'),
      ),
      row(
        'deviceIds',
        'by imei, not with deviceId, only line by line',
        lines('takes many devices by IMEI, each answered once with its own usage, zero included'),
        notAsked('both deviceId and deviceIds', 'deviceIds with lineLevel false', 'an IMEI of 14 digits'),
      ),
      row(
        'label',
        'name and value; not for APN',
        lines('takes a label: the devices of the account that carry it, together or line by line'),
        wrong('refuses a label for an account with real-time rating: it is not valid for APN'),
      ),
    ],
  },
];

export const devicesAndBilling: readonly Section[] = [...simSecure, ...billing, planChange];
