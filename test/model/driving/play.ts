import assert from 'node:assert/strict';
import type { Case, Step, Usage } from '../case.ts';
import { iso, nothing, type Outcome, type Row } from '../outcome.ts';
import type { Names } from './names.ts';
import { type Answered, getList, readOutcome, toFiring, waitsForApproval } from './read-outcome.ts';
import type { Stage } from './stage.ts';
import { toWireNotification, toWireRecord, toWireRule } from './wire.ts';

const TRIGGERS = '/m2m/v2/triggers';

export interface Played {
  readonly stage: Stage;
  readonly drawn: Case;
  readonly names: Names;
  /** Existing triggers. */
  readonly triggerIds: Map<string, string>;
  /** All triggers that ever existed, because their firings stay. */
  readonly triggerNames: Map<string, string>;
  readonly outcome: Outcome;
}

const REASONS: readonly (readonly [RegExp, string])[] = [
  [/not known/, 'unknown'],
  [/future/, 'future'],
];

async function feed({ stage: { world }, names }: Played, records: readonly Usage[]): Promise<Row> {
  const body = `[${records.map((usage) => toWireRecord(usage, names)).join(',')}]`;
  const at = iso(world.clock.now().getTime());
  const answer = await world.operator('POST', '/usage', body);
  if (answer.statusCode !== 200) return { at, status: answer.statusCode, body: answer.body };
  const { accepted, duplicates, rejected } = answer.json();
  return {
    at,
    accepted,
    duplicates,
    rejected: rejected.map(
      ({ line, reason }: { line: number; reason: string }) =>
        `${line} ${REASONS.find(([words]) => words.test(reason))?.[1] ?? reason}`,
    ),
  };
}

async function done(answer: ReturnType<Stage['call']>): Promise<Record<string, string>> {
  const { statusCode, body } = await answer;
  assert.equal(statusCode, 200, body);
  return JSON.parse(body);
}

/** No requests are made for a deleted line. */
async function askOfLine(
  { stage: { call, world }, drawn, names }: Played,
  step: Extract<Step, { line: number }>,
) {
  if (drawn.lines[step.line] === undefined) return;
  const path = `/devices/imei/${names.imei(step.line)}`;
  const found = await world.operator('GET', path);
  if (found.statusCode === 404) return;
  const devices = [{ deviceIds: [{ id: names.imei(step.line), kind: 'imei' }] }];
  const ask = (action: string, more: object = {}) =>
    done(
      call(action === 'plan' ? 'PUT' : 'POST', `/m2m/v1/devices/actions/${action}`, {
        accountName: found.json().accountName,
        devices,
        ...more,
      }),
    );
  switch (step.do) {
    case 'plan':
      return ask('plan', { servicePlan: step.plan });
    case 'activate': {
      const accountName = names.account(step.account);
      return ask('activate', { accountName, servicePlan: step.plan, mdnZipCode: '12801' });
    }
    case 'deactivate':
      return ask('deactivate', { reasonCode: 'FF' });
    case 'move':
      return done(world.operator('POST', `${path}/move`, { accountName: names.account(step.account) }));
    case 'remove':
      return step.by === 'operator'
        ? done(world.operator('DELETE', path))
        : ask('deactivate', { reasonCode: 'FF', deleteAfterDeactivation: true });
    default:
      return ask(step.do);
  }
}

async function create(
  { stage: { call }, names, triggerIds, triggerNames }: Played,
  step: Extract<Step, { do: 'create' }>,
) {
  if (triggerIds.has(step.name)) return;
  const { triggerId } = await done(
    call('POST', TRIGGERS, {
      triggerName: step.name,
      ecpdId: names.ecpdId,
      triggerCategory: 'PricePlanDataUsage',
      pricePlanTrigger: toWireRule(step.rule, names),
      notification: toWireNotification(step.callback, step.sends ?? {}),
    }),
  );
  triggerIds.set(step.name, triggerId!);
  triggerNames.set(triggerId!, step.name);
}

async function change({ stage: { call }, names, triggerIds }: Played, step: Extract<Step, { name: string }>) {
  const triggerId = triggerIds.get(step.name);
  if (triggerId === undefined) return;
  if (step.do === 'delete') {
    await done(call('DELETE', `${TRIGGERS}/${triggerId}`));
    triggerIds.delete(step.name);
  } else if (step.do === 'edit')
    await done(call('PUT', TRIGGERS, { triggerId, pricePlanTrigger: toWireRule(step.rule, names) }));
  else if (step.do === 'switch') await done(call('PUT', TRIGGERS, { triggerId, active: step.active }));
}

/** Only what waits, or was dropped before it began, is decided. */
async function decide(played: Played, { name, approves }: Extract<Step, { do: 'decide' }>) {
  const { stage, drawn, names, outcome } = played;
  const lists = drawn.accounts.map((_, n) => getList(played, `/firings?accountName=${names.account(n)}`));
  const waiting = (await Promise.all(lists))
    .flat()
    .filter(({ triggerId }) => played.triggerNames.get(triggerId) === name)
    .filter(({ actions }) =>
      actions.some((action: Answered) => waitsForApproval(action) || action.state === 'dropped'),
    )
    .map((firing) => {
      const { at, subject, kind, level, from } = toFiring(played, firing);
      return { firingId: firing.firingId, text: [at, subject, kind, level, from].join(' ') };
    })
    .toSorted((a, b) => (a.text < b.text ? -1 : 1));
  const [first] = waiting;
  if (first === undefined) return;
  const path = `${TRIGGERS}/firings/${first.firingId}/${approves ? 'approve' : 'reject'}`;
  const { statusCode, body } = await stage.call('POST', path);
  assert.ok([200, 409].includes(statusCode), body);
  const at = iso(stage.world.clock.now().getTime());
  outcome.decisions.push({ at, firing: first.text, isTaken: statusCode === 200 });
}

async function changeFleet(
  { stage: { world }, drawn, names }: Played,
  step: Extract<Step, { do: 'settings' | 'reorder' }>,
) {
  const { ecpdId } = names;
  if (step.do === 'settings') {
    const { account, timeZone, billDay: billCycleDay } = step;
    await world.import({
      accounts: [{ accountName: names.account(account), ecpdId, timeZone, billCycleDay }],
    });
    return;
  }
  const accounts = step.accounts.map((account) => names.account(account));
  const planCodes = drawn.group.plans;
  await world.import({ ratePlanGroups: [{ ratePlanGroupId: names.group, ecpdId, planCodes, accounts }] });
}

async function take(played: Played, step: Step): Promise<void> {
  const { world } = played.stage;
  switch (step.do) {
    case 'feed':
      played.outcome.feeds.push(await feed(played, step.records));
      return;
    case 'feeds':
      played.outcome.feeds.push(...(await Promise.all(step.feeds.map((records) => feed(played, records)))));
      return;
    case 'create':
      return create(played, step);
    case 'edit':
    case 'switch':
    case 'delete':
      return change(played, step);
    case 'plan':
    case 'suspend':
    case 'restore':
    case 'deactivate':
    case 'activate':
    case 'move':
    case 'remove':
      await askOfLine(played, step);
      return;
    case 'decide':
      return decide(played, step);
    case 'settings':
    case 'reorder':
      return changeFleet(played, step);
    case 'pause':
    case 'resume':
      await done(world.operator('POST', `/actions/${step.do}`));
      return;
    case 'wait':
      return;
  }
}

/** Plays the case against the service through its interfaces, and reads the outcome. */
export async function play(stage: Stage, drawn: Case, names: Names): Promise<Played> {
  const played: Played = {
    stage,
    drawn,
    names,
    triggerIds: new Map(),
    triggerNames: new Map(),
    outcome: nothing(),
  };
  stage.setBackTo(drawn.start);
  for (const list of [stage.post.heard, stage.post.mail, stage.post.sms]) list.length = 0;
  for (const step of drawn.steps) {
    await stage.moveTo(step.at);
    await take(played, step);
    await stage.moveTo(step.at);
  }
  await readOutcome(played);
  return played;
}
