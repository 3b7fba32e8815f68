import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, asUser, SMALL_FLEET, STRANGER } from '../../../../test/support/fleet.ts';
import { makeWorld } from '../../../../test/support/world.ts';

const world = await makeWorld();
const { operator } = world;
await world.import(SMALL_FLEET);

const importAs = async (name: string, scopes: readonly string[], document: object) => {
  const { key } = (await operator('POST', '/keys', { name, scopes })).json();
  return operator('POST', '/import', document, { authorization: `Bearer ${key}` });
};
const exported = async () => (await operator('GET', '/export')).json();
const linesOf = async (action: string, actor: string) =>
  (await operator('GET', `/audit?action=${action}&actor=${actor}`)).json();

const listener = { accountName: ACCOUNT, serviceName: 'CarrierService', url: 'http://hooks.example.com/a' };
const OF_ANOTHER_SCOPE = {
  users: [[{ username: 'ws-user', password: 'taken-over-1' }], 'users'],
  clients: [[{ clientId: 'app', clientSecret: 'taken-over-1' }], 'users'],
  listeners: [[listener], 'callbacks'],
} as const;

describe('POST /operator/v1/import by a key of few scopes', () => {
  for (const [section, [entries, scope]] of Object.entries(OF_ANOTHER_SCOPE)) {
    it(`422: ${section} need the scope ${scope}, and nothing else is imported without it`, async () => {
      const before = await exported();
      const document = { profiles: [{ ecpdId: '9000077' }], [section]: entries };
      const refused = await importAs(`fleet-${section}`, ['fleet'], document);
      assert.equal(refused.statusCode, 422, refused.body);
      assert.deepEqual(refused.json().errors, [
        { pointer: `/${section}`, detail: `needs an operator key with the scope ${scope}` },
      ]);
      assert.deepEqual(await exported(), before);
      await asUser(world);
    });

    // proves fleet-document/scopes
    it(`200: ${section} are accepted from a key with it, or with all scopes`, async () => {
      for (const scopes of [['fleet', scope], ['admin']]) {
        const taken = await importAs(`${scopes.join('-')}-${section}`, scopes, { [section]: entries });
        assert.equal(taken.statusCode, 200, taken.body);
      }
      await world.import(SMALL_FLEET);
    });
  }

  it('200: other sections need no further scope', async () =>
    assert.equal((await importAs('plain', ['fleet'], { plans: [{ code: 'P-77' }] })).statusCode, 200));
});

describe('what an import says about users and clients in the audit log', () => {
  // proves fleet-document/audited-imports
  it('shows who was created, who got a password, and which accounts were added and removed', async () => {
    const users = [
      { username: 'ws-user', password: 'another-one', accounts: [STRANGER] },
      { username: 'newcomer', accounts: [ACCOUNT] },
    ];
    assert.equal((await importAs('people', ['fleet', 'users'], { users })).statusCode, 200);
    const lines = await linesOf('importUser', 'people');
    assert.deepEqual(
      lines
        .map(({ target, before, after }: Record<string, unknown>) => ({ target, before, after }))
        .sort((a: { target: string }, b: { target: string }) => a.target.localeCompare(b.target)),
      [
        {
          target: 'newcomer',
          before: null,
          after: {
            accounts: 1,
            homeAccount: ACCOUNT,
            accountsGiven: [ACCOUNT],
            accountsTaken: [],
            passwordChanged: false,
          },
        },
        {
          target: 'ws-user',
          before: { accounts: 1, homeAccount: ACCOUNT },
          after: {
            accounts: 1,
            homeAccount: STRANGER,
            accountsGiven: [STRANGER],
            accountsTaken: [ACCOUNT],
            passwordChanged: true,
          },
        },
      ],
    );
    const [call] = await linesOf('operatorImport', 'people');
    assert.deepEqual(
      lines.map(({ requestId }: { requestId: string }) => requestId),
      [call.requestId, call.requestId],
    );
    await world.import(SMALL_FLEET);
  });

  // proves fleet-document/audited-imports
  it('leaves out unchanged users', async () => {
    const { users, clients } = SMALL_FLEET;
    assert.equal((await importAs('again', ['fleet', 'users'], { users, clients })).statusCode, 200);
    assert.deepEqual(await linesOf('importUser', 'again'), []);
    assert.deepEqual(await linesOf('importClient', 'again'), []);
  });

  it('is bounded, however many accounts a user has', async () => {
    const names = Array.from({ length: 150 }, (_, n) => `0000777777-${String(n).padStart(5, '0')}`);
    const document = {
      profiles: [{ ecpdId: '9000078' }],
      accounts: names.map((accountName) => ({ accountName, ecpdId: '9000078' })),
      users: [{ username: 'many', accounts: names }],
    };
    assert.equal((await importAs('many', ['fleet', 'users'], document)).statusCode, 200);
    const [{ after }] = await linesOf('importUser', 'many');
    assert.deepEqual([after.accounts, after.accountsGiven.length], [150, 100]);
  });

  it('shows which clients were created, and which got a secret', async () => {
    const clients = [{ clientId: 'app', clientSecret: 'another-secret' }, { clientId: 'app-2' }];
    assert.equal((await importAs('apps', ['fleet', 'users'], { clients })).statusCode, 200);
    assert.deepEqual(
      Object.fromEntries(
        (await linesOf('importClient', 'apps')).map((line: { target: string; after: unknown }) => [
          line.target,
          line.after,
        ]),
      ),
      { app: { isNew: false, secretChanged: true }, 'app-2': { isNew: true, secretChanged: false } },
    );
    await world.import(SMALL_FLEET);
  });
});

describe('GET /operator/v1/export by a key that only has the scope fleet', () => {
  // proves fleet-document/scopes
  it('200: shows nothing that could be used to sign in', async () => {
    const { key } = (await operator('POST', '/keys', { name: 'taker', scopes: ['fleet'] })).json();
    const { users, clients } = (
      await operator('GET', '/export', undefined, { authorization: `Bearer ${key}` })
    ).json();
    for (const entry of [...users, ...clients])
      assert.deepEqual(
        Object.keys(entry).filter((name) => !['username', 'accounts', 'clientId'].includes(name)),
        [],
      );
  });
});
