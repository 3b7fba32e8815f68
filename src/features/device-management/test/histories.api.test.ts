import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, asUser, SMALL_FLEET, USER } from '../../../../test/support/fleet.ts';
import { nobodyEvaluates } from '../../../../test/support/nobody-evaluates.ts';
import { makeWorld } from '../../../../test/support/world.ts';
import { composeCarrier } from '../../../app/compose/compose-carrier.ts';
import type { AccountName, EcpdId } from '../../../kernel/account-name.ts';
import { inTx } from '../../../platform/context/context.ts';
import { suspendDevices } from '../../device-lifecycle/index.ts';

const DAY_MS = 86_400_000;
const tenant = { ecpdId: '9000001' as EcpdId, accountName: ACCOUNT as AccountName };
const imeiOf = (n: number) => `9977000000${String(n).padStart(5, '0')}`;
const named = (...numbers: number[]) => ({
  devices: numbers.map((n) => ({ deviceIds: [{ id: imeiOf(n), kind: 'imei' }] })),
});

const world = await makeWorld();
await world.import({
  ...SMALL_FLEET,
  plans: [...SMALL_FLEET.plans, { code: 'P-50MB', name: '50 MB', kind: 'payAsYouGo' }],
  devices: Array.from({ length: 5 }, (_, n) => ({
    accountName: ACCOUNT,
    imei: imeiOf(n),
    servicePlan: 'P-5MB',
    record: { name: `meter ${n}` },
  })),
});

interface Line {
  readonly actorKind: string;
  readonly actor: string;
  readonly action: string;
  readonly target: string;
  readonly at: string;
  readonly before: Record<string, unknown> | null;
  readonly after: Record<string, unknown> | null;
}

/** With a new session each time, because days pass. */
const ask = async (method: string, path: string, body: object) => {
  const answer = await (await asUser(world)).call(method, path, body);
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json();
};
const carrier = async (method: string, path: string, body: object) => {
  await ask(method, `/m2m/v1/devices${path}`, { accountName: ACCOUNT, ...body });
  await world.engine.settle();
};
const recordOf = async (n: number) =>
  (
    await ask('POST', '/dm/v1/devices/actions/query', {
      accountname: ACCOUNT,
      resourceidentifier: { imei: Number(imeiOf(n)) },
    })
  )[0];

/** The audit lines about a record, oldest first. */
const linesOf = async (target: string): Promise<Line[]> =>
  (await world.operator('GET', `/audit?accountName=${ACCOUNT}&limit=1000`))
    .json()
    .filter((line: Line) => line.target === target)
    .reverse();

const versionsOf = (lines: readonly Line[]) =>
  lines.map(({ before, after }) => [before?.['version'], after?.['version']]);
const brief = ({ actorKind, actor, action }: Line) => `${action} by ${actorKind} ${actor}`;

// proves device-management/record-history
describe('the history of a device', () => {
  it('starts with its import, under the name of the operator key', async () => {
    const { id, version } = await recordOf(0);
    const [line, ...others] = await linesOf(id);
    assert.deepEqual(others, []);
    assert.equal(brief(line!), 'importDeviceRecord by operator first');
    const { name, imei, lineState, servicePlan, version: importedVersion } = line!.after!;
    assert.deepEqual(
      [line!.before, name, imei, lineState, servicePlan, importedVersion],
      [null, 'meter 0', imeiOf(0), 'active', 'P-5MB', version],
    );
  });

  it("shows every version made by a user's requests, each before and after", async () => {
    const created = imeiOf(100);
    await carrier('POST', '/actions/activate', { ...named(100), servicePlan: 'P-5MB', mdnZipCode: '76051' });
    const { id } = await recordOf(100);
    await carrier('POST', '/actions/suspend', named(100));
    await carrier('POST', '/actions/restore', named(100));
    await carrier('PUT', '/actions/plan', { ...named(100), servicePlan: 'P-50MB' });
    await carrier('POST', '/actions/deactivate', { ...named(100), reasonCode: 'FF', etfWaiver: true });
    const lines = await linesOf(id);
    assert.deepEqual(
      lines.map(brief),
      [
        'createDevice',
        'addNumbers',
        'activateLine',
        'changeServicePlan',
        'changeLineState',
        'changeLineState',
        'changeServicePlan',
        'changeLineState',
      ].map((action) => `${action} by user ${USER.username}`),
    );
    const { version } = await recordOf(100);
    assert.deepEqual(
      versionsOf(lines),
      lines.map((_, n) => [n === 0 ? undefined : String(n), String(n + 1)]),
    );
    assert.equal(version, String(lines.length));
    assert.deepEqual(
      lines.filter(({ after }) => 'lineState' in after!).map(({ after }) => after!['lineState']),
      ['pre-active', 'active', 'suspend', 'active', 'deactive'],
    );
    const [first, numbers, , plan, stopped] = lines;
    assert.equal(first!.after!['imei'], created);
    assert.deepEqual([numbers!.before!['mdn'], typeof numbers!.after!['mdn']], [undefined, 'string']);
    assert.deepEqual([plan!.before!['servicePlan'], plan!.after!['servicePlan']], [undefined, 'P-5MB']);
    assert.deepEqual(
      [stopped!.before, stopped!.after],
      [
        { lineState: 'active', version: '4' },
        { lineState: 'suspend', version: '5' },
      ],
    );
  });

  it('names the trigger that suspended it, and the job that resumed it at the end', async () => {
    const { id } = await recordOf(1);
    const { workJob } = composeCarrier(nobodyEvaluates.evaluateMove);
    await inTx(world.ctx, (tx) =>
      suspendDevices(tx, tenant, [id], { days: 2, requestedBy: 'trigger T-1' }, workJob),
    );
    await world.engine.settle();
    world.pass(3 * DAY_MS);
    await world.engine.settle();
    const lines = (await linesOf(id)).slice(1);
    assert.deepEqual(lines.map(brief), [
      'changeLineState by system trigger T-1',
      'changeLineState by system device-lifecycle.follow-suspensions',
    ]);
    assert.deepEqual(
      lines.map(({ after }) => after!['lineState']),
      ['suspend', 'active'],
    );
  });

  it('names the operator who set its state', async () => {
    const { id } = await recordOf(2);
    await world.operator('POST', `/devices/imei/${imeiOf(2)}/state`, { state: 'deactive' });
    const [, line] = await linesOf(id);
    assert.equal(brief(line!), 'changeLineState by operator first');
    assert.deepEqual([line!.before!['lineState'], line!.after!['lineState']], ['active', 'deactive']);
  });

  it('has no line for a device that the request did not change', async () => {
    const { id, version } = await recordOf(2);
    const before = await linesOf(id);
    await carrier('POST', '/actions/suspend', named(2));
    assert.deepEqual(await linesOf(id), before);
    assert.equal((await recordOf(2)).version, version);
  });
});

describe('the history of a rule', () => {
  const addRule = async (n: number, name: string) => {
    const { evaluation: _, ...rule } = await ask('POST', '/dm/v1/rules', {
      accountname: ACCOUNT,
      resourceidentifier: { imei: Number(imeiOf(n)) },
      rule: { name, rulesyntax: 'json', rulechain: { field: 't', operator: 'gt', value: 1 } },
    });
    return rule;
  };
  const known = ({ id, name, deviceid, rulechain, version, versionid }: Record<string, unknown>) => ({
    ...{ id, name, deviceid, rulechain, version, versionid },
  });

  it('ends with a line of its own when a request of a user deletes its device', async () => {
    const rules = [await addRule(3, 'hot'), await addRule(3, 'cold')];
    const other = await addRule(4, 'other');
    const asked = { ...named(3), reasonCode: 'FF', etfWaiver: true, deleteAfterDeactivation: true };
    await carrier('POST', '/actions/deactivate', asked);
    assert.equal(await recordOf(3), undefined);
    for (const rule of rules) {
      const line = (await linesOf(rule.id)).at(-1)!;
      assert.equal(brief(line), `deleteRuleWithDevice by user ${USER.username}`);
      assert.deepEqual([known(line.before!), line.after], [known(rule), null]);
    }
    assert.deepEqual((await linesOf(other.id)).map(brief), [`createRule by user ${USER.username}`]);
  });

  it('ends with a line of its own when the operator deletes its device', async () => {
    const { id: deviceId } = await recordOf(4);
    const rule = await addRule(4, 'late');
    assert.equal((await world.operator('DELETE', `/devices/imei/${imeiOf(4)}`)).statusCode, 200);
    const line = (await linesOf(rule.id)).at(-1)!;
    assert.equal(brief(line), 'deleteRuleWithDevice by operator first');
    assert.deepEqual(known(line.before!), known(rule));
    assert.equal(brief((await linesOf(deviceId)).at(-1)!), 'deleteDeviceRecord by operator first');
  });
});
