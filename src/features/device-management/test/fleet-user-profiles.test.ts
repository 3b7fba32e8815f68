import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { makeWorld } from '../../../../test/support/world.ts';

const world = await makeWorld();
const foreignId = '11111111-2222-4333-8444-555555555555';
const accountName = '0000123456-00001';
const other = '0000123456-00002';
await world.import({
  profiles: [{ ecpdId: '9000001', foreignId }],
  accounts: [accountName, other].map((name) => ({ accountName: name, ecpdId: '9000001' })),
});

const refusals = async (...userProfiles: object[]) =>
  (await world.operator('POST', '/import', { userProfiles })).json().errors;
const readAll = async () => (await world.operator('GET', '/export')).json().userProfiles;
const user = { accountName, email: 'Ann@b.example', firstname: 'Ann', customdata: { shift: 'night' } };

describe('user profiles of the fleet document', () => {
  // proves data/record-versions
  it('get missing values once, and are not written again when nothing changed', async () => {
    await world.import({ userProfiles: [{ ...user, accountclientid: null, billingaccountid: accountName }] });
    const before = await readAll();
    const { id, versionid, createdon, lastupdated, ...rest } = before[0];
    assert.deepEqual(rest, { ...user, foreignid: foreignId, version: '1' });
    assert.equal(Date.parse(createdon), Date.parse(lastupdated));
    assert.match(`${id} ${versionid}`, /^[0-9a-f-]{36} [0-9a-f-]{36}$/);
    world.pass(60_000);
    await world.import({ userProfiles: [{ ...user, email: 'Ann@b.example' }] });
    await world.import({ userProfiles: before });
    assert.deepEqual(await readAll(), before);
  });

  // proves data/record-versions
  it('get a new version with a change, and keep absent fields', async () => {
    const [before] = await readAll();
    await world.import({
      userProfiles: [{ accountName, email: 'Ann@b.example', lastname: 'Lee', version: '77' }],
    });
    const [after] = await readAll();
    assert.deepEqual(
      [after.version, after.firstname, after.lastname, after.id],
      ['2', 'Ann', 'Lee', before.id],
    );
    assert.notEqual(after.versionid, before.versionid);
    await world.import({
      userProfiles: [{ accountName, id: before.id.toUpperCase(), email: 'new@b.example' }],
    });
    assert.equal((await readAll())[0].email, 'new@b.example');
  });

  it('are exported as they were imported into an empty service', async () => {
    const userProfiles = await readAll();
    const fresh = await makeWorld();
    await fresh.import({
      profiles: [{ ecpdId: '9000001' }],
      accounts: [{ accountName, ecpdId: '9000001' }],
      userProfiles,
    });
    assert.deepEqual((await fresh.operator('GET', '/export')).json().userProfiles, userProfiles);
  });

  it('are refused if they appear twice, in another account, without id and e-mail address, or with an invalid date', async () => {
    const [{ id }] = await readAll();
    assert.equal(
      (await refusals(user, { ...user, email: 'ann@B.example' }))[0].pointer,
      '/userProfiles/1/email',
    );
    assert.equal((await refusals({ accountName, id }, { accountName, id }))[0].pointer, '/userProfiles/1/id');
    assert.equal((await refusals({ accountName: other, id }))[0].pointer, '/userProfiles/0/accountName');
    assert.equal((await refusals({ accountName }))[0].pointer, '/userProfiles/0/email');
    assert.equal(
      (await refusals({ ...user, acktermson: '2026-02-30T00:00:00Z' }))[0].pointer,
      '/userProfiles/0/acktermson',
    );
    assert.equal(
      (await refusals({ ...user, billingaccountid: other }))[0].pointer,
      '/userProfiles/0/billingaccountid',
    );
  });
});
