import assert from 'node:assert/strict';
import { planNamed } from '../catalogue.ts';
import { iso, nameOf, orderRows, type Row } from '../outcome.ts';
import type { Played } from './play.ts';
import { readBills } from './read-bills.ts';
import { isRepeated, readAlert, readCarrier, readMail, readSms, readThrottled } from './read-callbacks.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into field by field, and compared as they are.
export type Answered = any;

const LIST_MAX = 1_000;
/** Reasons for actions that were not done, or not yet. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  // What nobody approved in time is skipped later, by an hourly job.
  [/It would affect|before anyone approved/, 'too many'],
  [/cycle had closed/, 'late'],
  [/paused/, 'paused'],
  [/no line to act on/, 'no line'],
  [/no longer active/, 'left'],
  [/[Rr]ejected/, 'rejected'],
  [/before (it|the action) began/, 'dropped'],
  [/is not changed again/, 'moved'],
  [/No days are left/, 'no days left'],
  [/four times a month/, 'four changes'],
  [/of a suspended device/, 'suspended'],
  [/already suspended/, 'already suspended'],
  [/already active/, 'already active'],
  [/plan of an active device/, 'not active'],
  [/not belong to the account/, 'other account'],
  [/does not allow it/, 'wrong state'],
];
export const shortReason = (reason: string | null | undefined): string | null =>
  reason == null ? null : (WORDS.find(([words]) => words.test(reason))?.[1] ?? reason);

export async function getList({ stage: { world } }: Played, path: string): Promise<Answered[]> {
  const answer = await world.operator('GET', `${path}${path.includes('?') ? '&' : '?'}limit=${LIST_MAX}`);
  assert.equal(answer.statusCode, 200, answer.body);
  const list = answer.json();
  assert.ok(list.length < LIST_MAX, `${path} has more than one page`);
  return list;
}

/** Also if nobody has approved it in time. */
export const waitsForApproval = ({ reason }: Answered) => shortReason(reason) === 'too many';

const toAction = ({ names }: Played, action: Answered): Row => ({
  account: names.fromAccount(action.accountName),
  what:
    action.kind === 'suspend'
      ? `suspend ${action.params.duration}`
      : `move to ${planNamed(action.params.toPlan)}`,
  lines: action.deviceCount,
  succeeded: action.succeeded,
  failed: action.failed,
  state: waitsForApproval(action) ? 'awaitingApproval' : action.state,
  reason: shortReason(action.reason),
});

export const toFiring = (played: Played, firing: Answered): Row => ({
  trigger: played.triggerNames.get(firing.triggerId),
  subject: played.names.fromSubject(firing.subject),
  account: played.names.fromAccount(firing.accountName),
  kind: firing.levelKind,
  level: firing.level,
  threshold: firing.threshold,
  from: firing.cycle.from,
  to: firing.cycle.to,
  before: firing.before,
  after: firing.after,
  record: firing.usageRecordId,
  cause: firing.cause ?? null,
  late: firing.late,
  version: firing.ruleVersion,
  at: firing.firedAt,
  actions: firing.actions.map((action: Answered) => toAction(played, action)),
});

async function readUsage({ stage: { call, world }, drawn, names, outcome }: Played): Promise<void> {
  const latest = iso(world.clock.now().getTime());
  const earliest = iso(world.clock.now().getTime() - 300 * 86_400_000);
  for (const n of drawn.lines.keys()) {
    const found = await world.operator('GET', `/devices/imei/${names.imei(n)}`);
    if (found.statusCode === 404) continue;
    const deviceId = { kind: 'imei', id: names.imei(n) };
    const body = { accountName: found.json().accountName, deviceId, earliest, latest };
    const answer = await call('POST', '/m2m/v1/devices/usage/actions/list', body);
    assert.equal(answer.statusCode, 200, answer.body);
    const { hasMoreData, usageHistory } = answer.json();
    assert.equal(hasMoreData, false);
    for (const { bytesUsed, servicePlan, timestamp } of usageHistory)
      outcome.usage.push({
        line: nameOf.line(n),
        from: iso(Date.parse(timestamp)),
        plan: servicePlan,
        bytes: bytesUsed,
      });
  }
}

const CARRIER = ['CarrierService', 'ResumeTrackingNotification'];

function readHeard(played: Played): void {
  const { outcome, stage } = played;
  outcome.mail.push(...stage.post.mail.map((mail) => readMail(played, mail)));
  outcome.sms.push(...stage.post.sms.map(readSms));
  for (const heard of stage.post.heard)
    if (heard.serviceName === 'AlertService') outcome.alerts.push(readAlert(played, heard));
    else if (heard.serviceName === 'SubscriptionNotificationService')
      outcome.throttled.push(readThrottled(played, heard));
    else if (CARRIER.includes(heard.serviceName)) outcome.carrier.push(readCarrier(played, heard));
}

/** Alerts in the order of their arrival, without those that were told again. */
function readOrder({ stage, drawn, names, outcome }: Played, fired: ReadonlyMap<string, Row>): void {
  const first = stage.post.heard.filter(
    ({ serviceName, payload }) => serviceName === 'AlertService' && !isRepeated(payload),
  );
  const passed = first.map(({ accountName, payload }) => {
    const { trigger, subject, from, cause, at, level } = fired.get(payload.requestId) ?? {};
    const account = names.fromAccount(accountName);
    return { account, trigger, subject, from, cause, at: String(at), level: Number(level) };
  });
  outcome.order.push(...orderRows(drawn.steps, passed));
}

/** Alerts to which nobody listened, which can be re-sent. */
async function readUnheard(played: Played, accountName: string): Promise<void> {
  const path = `/callbacks?accountName=${accountName}&serviceName=AlertService`;
  for (const { attempts, state, payload } of await getList(played, path))
    if (state === 'failed' && attempts.length === 0)
      played.outcome.alerts.push(readAlert(played, { accountName, payload, at: undefined }));
}

/** Everything visible from outside after the steps. */
export async function readOutcome(played: Played): Promise<void> {
  const { drawn, names, outcome } = played;
  readHeard(played);
  const fired = new Map<string, Row>();
  for (const [n] of drawn.accounts.entries()) {
    const account = names.account(n);
    const firings = await getList(played, `/firings?accountName=${account}`);
    for (const firing of firings) fired.set(firing.firingId, toFiring(played, firing));
    await readUnheard(played, account);
    for (const device of await getList(played, `/accounts/${account}/devices`)) {
      const { imei, state, servicePlan, planSince } = device;
      outcome.lines.push({
        line: names.fromImei(imei),
        account: names.fromAccount(account),
        state,
        plan: servicePlan,
        since: planSince,
      });
    }
  }
  outcome.firings.push(...fired.values());
  readOrder(played, fired);
  await readUsage(played);
  await readBills(played);
}
