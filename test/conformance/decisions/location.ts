import { row, type Section, testsIn } from '../row.ts';

const locate = testsIn('src/features/locations/test/locate.api.test.ts');
const positions = testsIn('src/features/locations/test/positions.api.test.ts');
const usage = testsIn('src/features/locations/test/usage.api.test.ts');
const create = testsIn('src/features/location-reports/test/create-report.api.test.ts');
const read = testsIn('src/features/location-reports/test/read-report.api.test.ts');
const unasked = testsIn('src/features/location-reports/test/unasked.test.ts');
const histories = testsIn('src/features/location-reports/test/report-histories.test.ts');
const withheldFlow = testsIn('test/flows/withheld-locations.flow.test.ts');
const exclusions = testsIn('src/features/consents/test/exclusions.api.test.ts');
const levels = testsIn('src/features/consents/test/levels.api.test.ts');
const withheld = testsIn('src/features/consents/test/withheld.test.ts');
const ledger = testsIn('src/features/consents/test/ledger.test.ts');
const imported = testsIn('src/features/operator/test/import.api.test.ts');
const flow = testsIn('test/flows/locations.flow.test.ts');
const reports = testsIn('test/flows/consents.flow.test.ts');

export const location: Section = {
  number: 'D3',
  title: 'Location and consent',
  rows: [
    row(
      'cacheMode',
      'cached or current where none is given; with 1 the answer says which it was',
      locate(
        'reads modes as numbers, kinds in any letter case, and cached or current where no mode is given',
        'says with cacheMode 1 whether a position came from the cache or the network',
      ),
    ),
    row(
      'problems of one device',
      'stand in its entry, and the others are answered',
      locate('answers a device that is offline as absent, and the others all the same'),
      create('tells of each device what stood against it, and answers the others'),
    ),
    row(
      'source',
      '400 when it says that it cannot, 500 when it is not reached',
      locate('answers 400 when it says that it cannot, and 500 when it is not reached, billing nothing'),
    ),
    row(
      'no source',
      'no location data, unbilled; the cache still serves',
      positions(
        'without a network a current request has no location data, unbilled, and the cache still serves',
      ),
    ),
    row(
      'cancelling a report',
      'only while it is queued',
      read(
        '200: cancels a report that is queued; nothing is asked for and nothing billed',
        '200: leaves entries that nobody worked on as cancelled, whatever becomes of their consent, and others as they are',
        '400: cannot cancel a report that is <status>',
      ),
      withheldFlow('is nothing after its request was cancelled, but for what was said before'),
    ),
    row(
      'pages of a report',
      'the same order for 30 days, then it is gone',
      read(
        '200: pages by 1,000 in an order that stays',
        "400: a transaction that is unknown, malformed, another account's, or has expired",
      ),
    ),
    row(
      'consent withdrawn later',
      'checked at every page and every attempt, re-sends included',
      read('200: checks consent again at every page, and lets a position go only while it holds'),
      flow(
        'withholds a position at each attempt once its consent is gone, also when it is re-sent, and in the log',
      ),
    ),
    row(
      'what is shown without consent',
      'excluded, or denied only since it was asked for: failed consent; denied already then: not allowed; afterwards what is held',
      read(
        '200: reads as failed consent while a device is excluded, or denied only since it was asked for, whatever it holds',
        '200: reads as not allowed what the level denied already when it was asked for, unless it is excluded now',
      ),
      withheldFlow(
        'is at each attempt what may be said then, whatever there was to say, and that again when it may be',
      ),
      histories(
        'reads, is told and is billed as the model says, whatever becomes of consent, network, listener and request',
      ),
    ),
    row(
      'not asked for want of consent',
      'asked for when there is some, within 30 days, and billed once when found',
      unasked('is asked for when its consent is given, and within an hour when an import gives it'),
      withheldFlow('is told once more when it was excluded and is found, and is billed then'),
    ),
    row(
      'levels',
      'precise needs 0 or 1, coarse 0 or 2; a new account has 2',
      withheld('by level: precise needs 0 or 1, coarse 0 or 2'),
      imported('200: puts consent level 2 on file for every account'),
    ),
    row(
      'excluded devices',
      'never get their cached position either',
      locate('refuses an excluded device, also for its cached position'),
      positions('never lets the position of an excluded device out'),
    ),
    row(
      'ledger',
      'takes nothing back',
      ledger('takes back nothing: neither an update nor a delete, not even of one row'),
    ),
    row(
      'level of all devices',
      'text or number, both spellings of the id; ends the levels of single devices',
      levels(
        '200: takes each level as text and as a number',
        '200: answers both spellings of the id, and the level is in force with its job',
        '200: ends the levels of single devices, and the ledger says so even when the level stays',
      ),
    ),
    row(
      'reports of consent',
      'up to 10,000 devices about coarse location, one device about precise',
      reports(
        'come in parts of 10,000 devices, each device once',
        'about precise location: one callback for each device, all with the same transaction id',
      ),
    ),
    row(
      'absent devices',
      'located when they come back, for 30 days; the entry changes and a callback says so',
      flow(
        'locates an offline device again when it comes back, changes its entry, bills it and says so',
        'asks for absent devices every hour, bills a device that several requests wait for once, and stops after 30 days',
      ),
    ),
    row(
      'billing',
      'each current position once; cached ones and failures never',
      locate('bills each current position once, and cached ones and failures never'),
    ),
    row(
      'used up',
      'current requests are refused, the cache serves; what was accepted is finished',
      locate(
        'refuses current requests once what was subscribed to is used up and may not be exceeded, and still serves the cache',
      ),
      create('refuses what needs the network once the service is closed, and finishes what it had accepted'),
    ),
    row(
      'use of all accounts',
      'asked for in either spelling',
      usage(
        'adds the managed accounts when all are asked for, in either spelling, each by the days of its own zone',
      ),
    ),
    row(
      'exclusion list',
      'cleared only by an empty list with allDevice false; allDevice changes only when it is sent',
      exclusions(
        '200: an empty list with allDevice false clears both, also as append',
        '200: allDevice changes only when it is sent, and never the list',
        '200: null for allDevice or exclusion is not false and not an empty list',
      ),
    ),
    row(
      'taken out of the exclusion list',
      'by whichever identifier; what is not in the list is named',
      exclusions(
        '200: takes devices out, by whichever identifier; what is not in the list is named, and no error',
      ),
    ),
  ],
};
