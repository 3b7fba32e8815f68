import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT } from '../../../../test/support/fleet.ts';
import { sql } from '../../../platform/db/sql.ts';
import { makeTriggerScene } from './scene.ts';

const { world, call, create, made } = await makeTriggerScene();
const { db } = world.ctx;
const TAKEN = 'Trigger name is not unique';

/** Two Unicode forms that look the same: one letter with its accent, and a letter followed by an accent. */
const composed = (text: string) => text.normalize('NFC');
const apart = (text: string) => text.normalize('NFD');
const update = (id: string, body: object) =>
  call('POST', `/subsc/v1/usage/triggers/${id}`, { accountName: ACCOUNT, ...body });
const refusals = async (...usageTriggers: object[]) =>
  (await world.operator('POST', '/import', { usageTriggers })).json().errors;
const entry = (triggerName: string) => ({
  accountName: ACCOUNT,
  triggerName,
  serviceName: 'Location',
  thresholdValue: '90',
});

describe('the name of a usage trigger in two Unicode forms', () => {
  it('400: is taken in both forms if it is taken in one', async () => {
    await made({ triggerName: composed('Café') });
    assert.equal((await create({ triggerName: apart('Café') })).json().errorMessage, TAKEN);
    const { triggerName } = await made({ triggerName: apart('Zoë') });
    assert.equal(triggerName, composed('Zoë'));
    assert.equal((await create({ triggerName: composed('Zoë') })).json().errorMessage, TAKEN);
  });

  it('400: is taken for an update too, unless it is the trigger’s own', async () => {
    const { triggerId } = await made({ triggerName: composed('Mälar') });
    await made({ triggerName: composed('Ångström') });
    const taken = await update(triggerId, { triggerName: apart('Ångström') });
    assert.deepEqual([taken.statusCode, taken.json().errorMessage], [400, TAKEN]);
    const own = await update(triggerId, { triggerName: apart('Mälar') });
    assert.deepEqual([own.statusCode, own.json().triggerName], [200, composed('Mälar')]);
  });

  it('is given to one of many concurrent callers', async () => {
    const wanted = Array.from({ length: 6 }, (_, n) => (n % 2 === 0 ? composed : apart)('gewünscht'));
    const answers = await Promise.all(wanted.map((triggerName) => create({ triggerName })));
    assert.deepEqual(answers.map(({ statusCode }) => statusCode).sort(), [200, 400, 400, 400, 400, 400]);
  });

  it('means the same trigger in the fleet document', async () => {
    const { triggerId } = await made({ triggerName: composed('Göteborg'), thresholdValue: '50' });
    await world.import({ usageTriggers: [entry(apart('Göteborg'))] });
    const read = (await call('GET', `/subsc/v1/usage/accounts/${ACCOUNT}/triggers/${triggerId}`)).json();
    assert.deepEqual([read.thresholdValue, read.triggerName], ['90', composed('Göteborg')]);
  });

  it('422: is refused twice in one document, and for a second trigger', async () => {
    const twice = await refusals(entry(composed('naïf')), entry(apart('naïf')));
    assert.deepEqual(twice, [
      { pointer: '/usageTriggers/1/triggerName', detail: 'stands in the document twice' },
    ]);
    const { triggerId } = await made({ triggerName: 'plain' });
    await made({ triggerName: composed('façade') });
    const [taken] = await refusals({ ...entry(apart('façade')), triggerId });
    assert.equal(taken.detail, 'is the name of another trigger of the account');
  });

  it('is stored in one form only', async () => {
    const change = (name: string) => sql`
      update usage_trigger set trigger_name = ${name} where trigger_name = ${composed('Café')}`;
    await assert.rejects(db.exec(change(apart('Café'))), /usage_trigger_trigger_name_check/);
  });
});
