import { row, rowsOf, type Section, testsIn } from '../row.ts';

const exclusions = testsIn('src/features/consents/test/exclusions.api.test.ts');
const levels = testsIn('src/features/consents/test/levels.api.test.ts');
const reports = testsIn('src/features/location-reports/test/read-report.api.test.ts');
const create = testsIn('src/features/location-reports/test/create-report.api.test.ts');
const locate = testsIn('src/features/locations/test/locate.api.test.ts');
const usage = testsIn('src/features/locations/test/usage.api.test.ts');
const limit = testsIn('src/features/consents/test/exclusion-limit.api.test.ts');
const flow = testsIn('test/flows/locations.flow.test.ts');
const withheld = testsIn('src/features/consents/test/withheld.test.ts');

const MADE = '200: makes the list where there was none, and dates it';
const ON = '200: goes on where it is told to, in a stable order, and is empty beyond the end';
const APPEND =
  '200: append adds, replace and no type replace; the ledger has each difference with who made it';
const PAGES = '200: pages by 1,000 in an order that stays';
const IN_ORDER = 'is queued, then completed by a worker, with every device in the order of the request';
const COUNTED = 'counts the days of the range, both ends included, for the primary account alone';
const ALL =
  'adds the managed accounts when all are asked for, in either spelling, by the days of the primary account';
const OWN = 'tells a managed account of itself only, whatever it asks for';
const NOW = 'answers each device in the order of the request, with its number and where it is now';

const resources: readonly Section[] = [
  {
    number: '2.3',
    title: 'Location exclusion',
    rows: [
      ...rowsOf(
        {
          accountName: 'the account',
          exclusion: 'identifiers of excluded devices',
          updateTime: 'when the list was last changed, as text',
        },
        exclusions(MADE),
      ),
      row(
        'allDevice',
        'whether all devices are excluded',
        exclusions('200: allDevice changes only when it is sent, and never the list'),
      ),
      ...rowsOf(
        { hasMoreData: 'whether more entries remain', totalCount: 'how many devices are excluded' },
        exclusions(ON),
      ),
    ],
  },
  {
    number: '2.4',
    title: 'Location report',
    rows: [
      ...rowsOf(
        {
          startIndex: 'where the page begins, a string; the next is 1000 further',
          hasMoreData: 'whether there is more',
          totalCount: 'devices in the report',
        },
        reports(PAGES),
      ),
      ...rowsOf({ txid: 'the transaction', devLocationList: 'one entry for each device' }, create(IN_ORDER)),
      row('msid', 'the telephone number of the device', locate(NOW)),
      row(
        'pd',
        'x, y, radius, qos, time and, where cached or current was asked for, cacheMode; empty when unavailable',
        locate(NOW, 'says with cacheMode 1 whether a position came from the cache or the network'),
        create('shows devices that still wait as empty, so that pages are the same from the beginning'),
      ),
      row(
        'error',
        'type, info and time; empty when there is none',
        locate('answers a device that is offline as absent, and the others all the same', NOW),
      ),
    ],
  },
  {
    number: '2.5',
    title: 'Location usage report',
    rows: [
      ...rowsOf(
        {
          accountName: 'the account asked about',
          skuName: 'the subscription',
          transactionsAllowed: 'what it includes, a string',
          totalTransactionCount: 'billable requests, a string',
        },
        usage(COUNTED),
      ),
      row('usageForAllAccounts', 'answered in both spellings', usage(ALL)),
      row(
        'PrimaryAccount',
        'name and count of the primary account, empty for a managed one',
        usage(COUNTED, OWN),
      ),
      row('ManagedAccounts', 'names and counts', usage(ALL)),
    ],
  },
];

const endpoints: readonly Section[] = [
  {
    number: '4.3',
    title: 'Location',
    rows: [
      row('POST /loc/v1/consents', 'changes the exclusion list, answers success', exclusions(MADE, APPEND)),
      row(
        'GET /loc/v1/consents/{accountName}/index/{startIndex}',
        'the list from an index on',
        exclusions(ON, '400: refuses an index that is no integer from 0 on'),
      ),
      row(
        'PUT /loc/v1/devicelocations/action/consents',
        'a level of 0 to 3 for the account; an id and QUEUED',
        levels(
          '200: answers both spellings of the id, and the level is in force with its job',
          '200: takes each level as text and as a number',
          '400: refuses the level <each>, and nothing changes',
        ),
      ),
      row(
        'GET /loc/v1/locationreports/{accountName}/report/{txid}/index/{startindex}',
        'a page of a report',
        reports(PAGES, '400: an index that is no number of an entry'),
      ),
      row(
        'DELETE /loc/v1/locationreports/{accountName}/report/{txid}',
        'cancels, answers the txid',
        reports('200: cancels a report that is queued; nothing is asked for and nothing billed'),
      ),
      row(
        'POST /loc/v1/usage',
        'the usage report of days, both ends included',
        usage(COUNTED, 'refuses a day that does not exist', 'refuses another notation', 'refuses no end'),
      ),
      row(
        'rule 1',
        'asking for an excluded device is an error',
        locate('refuses an excluded device, also for its cached position'),
        create('tells of each device what stood against it, and answers the others'),
      ),
      row(
        'rule 2',
        'at most 2,000 devices; without append the list is replaced',
        exclusions('400: refuses a list of more than 2,000, and nothing changes', APPEND),
        limit('counts after an append, and holds when many append at once'),
      ),
      row(
        'rule 3',
        'allDevice true with a list is a conflict',
        exclusions('400: refuses allDevice true with a list, and nothing changes'),
      ),
      row('rule 4', 'whose usage is told by primary, managed account and flag', usage(COUNTED, ALL, OWN)),
      row(
        'rule 5',
        '2,000 devices in an exclusion answer, 1,000 in a report answer',
        exclusions(ON),
        reports(PAGES),
      ),
      row(
        'rule 6',
        "only the owner's account gives consent; without it nothing is located",
        levels('400, 401: refuses accounts that are unknown, not registered or not ours'),
        withheld('are all of them where no consent is on file'),
        flow('does not locate a device whose consent was withdrawn after it was asked for'),
      ),
    ],
  },
];

export const location: readonly Section[] = [...resources, ...endpoints];
