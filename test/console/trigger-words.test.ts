import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type Draft, NEW_ROW, newDraft } from '../../clients/console/src/pages/triggers/form/draft.ts';
import { marksOf } from '../../clients/console/src/pages/triggers/past-marks.ts';
import { sentenceOf, usageSentenceOf } from '../../clients/console/src/pages/triggers/sentence.ts';
import { placeLabels } from '../../clients/console/src/parts/place-labels.ts';

const [A, B] = ['0000700001-00001', '0000700001-00002'];
const NAMES = {
  plans: [
    { code: 'P', name: 'Small', kind: 'payAsYouGo' },
    { code: 'Q', name: 'Q', kind: 'share' },
  ],
  accounts: [
    { accountName: A, organizationName: 'Larkmoor' },
    { accountName: B, organizationName: null },
  ],
};
const said = (change: Partial<Draft>) =>
  sentenceOf({ ...newDraft(A), plan: 'P', threshold: '3', ...change }, NAMES);
const TOLD = 'you are notified at once by callback.';

describe('the sentence of a trigger', () => {
  it('says what is watched, compared, done and told, by the names of plans and accounts', () => {
    const of = `of account ${A} (Larkmoor)`;
    const both = { accounts: [A, B] };
    const ofAccounts = { conditionType: 'AccountLevel', cycleType: 'Daily' };
    for (const [change, words] of [
      [{}, `When a line on Small (P) ${of} uses more than 3 MB in a billing month, ${TOLD}`],
      [{ comparator: 'eq' }, `When a line on Small (P) ${of} reaches 3 MB in a billing month, ${TOLD}`],
      [
        { ...ofAccounts, ...both, separateOrCombined: 'Combined', comparator: 'lt' },
        `When all lines on Small (P) of accounts ${A} (Larkmoor) and ${B} together use less than 3 MB in a day, ${TOLD}`,
      ],
      [
        {
          ...ofAccounts,
          action: 'suspend',
          suspendThreshold: '4',
          suspendDuration: '30',
          suspendOption: 'WithBilling',
        },
        `When all lines on Small (P) ${of} together use more than 3 MB in a day, above 4 MB all lines on the plan ${of} are suspended for 30 days, with billing, and ${TOLD}`,
      ],
      [
        { conditionType: 'Aging', billCycles: '2', action: 'changePlan', toPlan: 'Q' },
        `When a line ${of} has been on Small (P) for 2 billing months, its plan is changed to Q, and ${TOLD}`,
      ],
      [
        { conditionType: 'UsageAllowance' },
        `When all lines on Small (P) ${of} together have used 90 % or 100 % of their allowance in a billing month, ${TOLD}`,
      ],
    ] as const)
      assert.equal(said(change as Partial<Draft>), words);
  });

  it('says it of group shares too: of each line, and of the pool', () => {
    const rows = [{ ...NEW_ROW, from: 'P', to: 'Q', percent: '80' }];
    assert.equal(
      said({ kind: 'shareLines', groupId: '7', action: 'changePlan', rows }),
      `When a line of rate plan group 7 has used 80 % of Small (P), its plan is changed from Small (P) to Q, and ${TOLD}`,
    );
    const moves = { wanted: true, rows, buffer: '10', date: 'CurrentDate' };
    assert.equal(
      said({ kind: 'sharePool', groupId: '7', action: 'changePlan', above: moves }),
      `When the pool of rate plan group 7 is used up, lines are moved from Small (P) to Q until 10 % is free; ${TOLD}`,
    );
  });

  it('has gaps where something is still to be filled in, and shows hostile names as they are', () => {
    assert.match(said({ plan: '', accounts: [], threshold: ' ' }), /on … of account … uses more than … MB/);
    const plans = [{ code: 'P', name: '<img src=x onerror=alert(1)>', kind: 'share' }];
    assert.ok(
      sentenceOf({ ...newDraft(A), plan: 'P' }, { ...NAMES, plans }).includes(
        '<img src=x onerror=alert(1)> (P)',
      ),
    );
    assert.match(said({ active: false, callback: false }), /^Switched off: .* no one is notified\.$/);
  });

  it('says it of the use of a service', () => {
    const trigger = {
      serviceName: 'Location',
      thresholdValue: '90',
      allowExcess: false,
      sendEmailNotification: true,
      sendSmsNotification: false,
    } as const;
    assert.equal(
      usageSentenceOf(trigger, A),
      `When account ${A} has used 90 % of its Location subscription, you are notified at once by callback and mail. At 100 % the service stops until the month ends.`,
    );
  });
});

describe('the chart of past use', () => {
  it('places labels in order, apart from each other and inside, wherever their lines lie', () => {
    const heights = fc.array(fc.integer({ min: -50, max: 300 }), { maxLength: 8 });
    fc.assert(
      fc.property(heights, (wanted) => {
        const placed = placeLabels(wanted, { gap: 16, top: 8, bottom: 200 });
        const sorted = placed.toSorted((a, b) => a - b);
        for (const [n, at] of sorted.entries()) {
          assert.ok(at >= 8 && at <= 200);
          if (n > 0) assert.ok(at - sorted[n - 1]! >= 16);
        }
        for (const [n, at] of wanted.entries())
          for (const [m, other] of wanted.entries()) if (at < other) assert.ok(placed[n]! < placed[m]!);
      }),
    );
  });

  it('marks the day on which the counter came there, and the last day where staying below fires', () => {
    const cycle = { from: '2026-03-01T06:00:00Z', to: '2026-03-04T06:00:00Z' };
    const calendar = ['2026-02-28', '2026-03-01', '2026-03-02', '2026-03-03', '2026-03-04'];
    const counted = [5, 1, 3, 6, 2];
    const days = calendar.map((day, n) => ({ day, countedBytes: counted[n]! }));
    const use = { subject: 's', accountName: A, days };
    const fired = (after: number, threshold: number, subject = 's') => [
      { subject, accountName: A, cycle, after, threshold },
    ];
    assert.deepEqual(marksOf(use, fired(3, 2)), [null, null, 3, null, null]);
    assert.deepEqual(marksOf(use, fired(6, 9)), [null, null, null, 6, null]);
    assert.deepEqual(marksOf(use, fired(3, 2, 'other')), Array(5).fill(null));
  });
});
