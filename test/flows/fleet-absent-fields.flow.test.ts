import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, MANAGED, SMALL_FLEET } from '../support/fleet.ts';
import { makeWorld } from '../support/world.ts';

type Entry = Readonly<Record<string, unknown>>;

const world = await makeWorld();
const { operator } = world;
await world.import({
  ...SMALL_FLEET,
  plans: [...SMALL_FLEET.plans, { code: 'S-1GB', kind: 'share' }, { code: 'S-2GB', kind: 'share' }],
  ratePlanGroups: [
    { ratePlanGroupId: 101, ecpdId: '9000001', planCodes: ['S-2GB', 'S-1GB'], accounts: [ACCOUNT, MANAGED] },
  ],
  subscriptions: [{ accountName: ACCOUNT, serviceName: 'fota', skuName: 'SKU-A', allowance: 10 }],
  managedAccounts: [
    {
      accountName: MANAGED,
      paccountName: ACCOUNT,
      serviceName: 'Location',
      type: 'SKU-B',
      state: 'provisioned',
    },
  ],
  licenses: [{ accountName: ACCOUNT, skuNumber: 'SIMSec-IoT', purchased: 7 }],
});

const entriesOf = async (section: string): Promise<readonly Entry[]> =>
  (await operator('GET', '/export')).json()[section] ?? [];

/** For each section: the minimum that names a known and a new entry, other fields that may be given alone, and fields that new entries need. */
const SECTIONS: Readonly<
  Record<string, { known: Entry; fresh: Entry; alone: readonly Entry[]; needed: readonly string[] }>
> = {
  accounts: {
    known: { accountName: ACCOUNT },
    fresh: { accountName: '0000123456-00077' },
    alone: [{ billCycleDay: 9 }, { organizationName: 'Acme Ltd' }],
    needed: ['ecpdId'],
  },
  ratePlanGroups: {
    known: { ratePlanGroupId: 101, ecpdId: '9000001' },
    fresh: { ratePlanGroupId: 102, ecpdId: '9000001' },
    alone: [{ planCodes: ['S-1GB'] }, { accounts: [ACCOUNT] }, { accounts: [] }],
    needed: ['planCodes', 'accounts'],
  },
  subscriptions: {
    known: { accountName: ACCOUNT, serviceName: 'fota' },
    fresh: { accountName: MANAGED, serviceName: 'fota' },
    alone: [{ allowance: 20 }, { since: '2025-01-01' }, { skuName: 'SKU-C' }],
    needed: ['skuName'],
  },
  managedAccounts: {
    known: { accountName: MANAGED, serviceName: 'Location' },
    fresh: { accountName: MANAGED, serviceName: 'fota' },
    alone: [{ state: 'added' }, { type: 'SKU-D' }, { paccountName: ACCOUNT }],
    needed: ['paccountName', 'type'],
  },
  licenses: {
    known: { accountName: ACCOUNT, skuNumber: 'SIMSec-IoT' },
    fresh: { accountName: MANAGED, skuNumber: 'SIMSec-IoT' },
    alone: [{ purchased: 8 }],
    needed: ['purchased'],
  },
};

// proves fleet-document/absent-fields
describe('an entry of the fleet document that is imported again', () => {
  for (const [section, { known, alone }] of Object.entries(SECTIONS)) {
    it(`200: of ${section} keeps every absent field`, async () => {
      const isMeant = (entry: Entry) => Object.entries(known).every(([name, value]) => entry[name] === value);
      for (const said of [{}, ...alone]) {
        const before = await entriesOf(section);
        const answer = await operator('POST', '/import', { [section]: [{ ...known, ...said }] });
        assert.equal(answer.statusCode, 200, answer.body);
        assert.deepEqual(
          await entriesOf(section),
          before.map((entry) => (isMeant(entry) ? { ...entry, ...said } : entry)),
        );
      }
    });
  }
});

describe('an entry of the fleet document that is new', () => {
  for (const [section, { known, fresh, needed }] of Object.entries(SECTIONS)) {
    it(`422: of ${section} needs ${needed.join(' and ')}`, async () => {
      const before = await entriesOf(section);
      const answer = await operator('POST', '/import', { [section]: [known, fresh] });
      assert.equal(answer.statusCode, 422, answer.body);
      assert.deepEqual(
        answer.json().errors,
        needed.map((name) => ({
          pointer: `/${section}/1/${name}`,
          detail: `must have required property '${name}'`,
        })),
      );
      assert.deepEqual(await entriesOf(section), before);
    });
  }

  it('422: of accounts is refused with an unknown profile, also if the account exists', async () => {
    const answer = await operator('POST', '/import', {
      accounts: [{ accountName: ACCOUNT, ecpdId: 'nobody' }],
    });
    assert.deepEqual(answer.json().errors, [{ pointer: '/accounts/0/ecpdId', detail: 'names no profile' }]);
  });

  it('422: of managedAccounts makes no chain, also if one entry leaves out its primary', async () => {
    const third = '0000123456-00003';
    await world.import({ accounts: [{ accountName: third, ecpdId: '9000001' }] });
    const [serviceName, state] = ['Location', 'provisioned'];
    const answer = await operator('POST', '/import', {
      managedAccounts: [
        { accountName: MANAGED, serviceName, state },
        { accountName: ACCOUNT, serviceName, paccountName: third, type: 'SKU-B', state },
      ],
    });
    assert.equal(answer.statusCode, 422, answer.body);
    assert.deepEqual(answer.json().errors, [
      { pointer: '/managedAccounts/0/paccountName', detail: 'is itself managed by another account' },
      { pointer: '/managedAccounts/1/accountName', detail: 'manages other accounts itself' },
    ]);
  });
});
