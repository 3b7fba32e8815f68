import type { Ctx } from '../../platform/context/context.ts';
import { usageTriggerFired } from '../callback-payloads/index.ts';
import { type Callback, inSequence, postCallbacks } from '../callbacks/index.ts';
import { type Notification, postNotifications } from '../notifications/index.ts';
import type { UsageFiring } from './usage-trigger.ts';
import { toWireTrigger } from './wire.ts';

/** The key names the firing, so posting it again adds nothing. */
const addressed = ({ accountName, triggerId, firingId }: UsageFiring) => ({
  accountName,
  triggerId,
  dedupeKey: `firing ${firingId}`,
});

const timeIn = (timeZone: string, at: Date): string => {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'short',
    hourCycle: 'h23',
  });
  return `${parts.format(at).replace(',', '')} ${timeZone}`;
};

function consequence({ late, after, allowed, closes }: UsageFiring): string {
  if (late) return 'This use was reported after the month had closed: you are only notified.';
  if (!closes) return 'The service stays open beyond the subscribed number.';
  return after >= allowed
    ? 'The service is closed until the month ends.'
    : `The service closes when all ${allowed} are used.`;
}

const firingMail = (firing: UsageFiring): Notification => {
  const { trigger, change, allowed, after, threshold, accountName, late } = firing;
  return {
    ...addressed(firing),
    channel: 'mail',
    to: trigger.emailAddresses,
    subject: `${trigger.serviceName} use of account ${accountName} reached ${trigger.thresholdPercent} %${late ? ' (late)' : ''}`,
    text: [
      `Usage trigger "${trigger.triggerName}" has fired: the ${trigger.serviceName} use of account ${accountName} has`,
      `reached ${trigger.thresholdPercent} % of what is subscribed for ${change.month}.`,
      '',
      `Account:    ${accountName}`,
      `Service:    ${trigger.serviceName}`,
      `Used:       ${after} of ${allowed}`,
      `Threshold:  ${trigger.thresholdPercent} % (${threshold})`,
      `Month:      ${timeIn(change.timeZone, change.cycle.from)} to ${timeIn(change.timeZone, change.cycle.to)}`,
      `Fired at:   ${timeIn(change.timeZone, firing.firedAt)}`,
      `Trigger:    ${firing.triggerId}`,
      '',
      consequence(firing),
      '',
    ].join('\n'),
  };
};

const firingSms = (firing: UsageFiring): Notification => {
  const { trigger, change, allowed, after, accountName, late } = firing;
  return {
    ...addressed(firing),
    channel: 'sms',
    to: trigger.smsPhoneNumbers,
    text:
      `${trigger.triggerName}: ${trigger.serviceName} use of account ${accountName} is ${after} of ${allowed} in ` +
      `${change.month} (${change.timeZone}), threshold ${trigger.thresholdPercent} %.${late ? ' Reported late.' : ''} ${consequence(firing)}`,
  };
};

/** Each firing has up to a hundred recipients of both kinds. */
const FIRINGS_AT_ONCE = 500;

const percentOf = (used: number, allowed: number) => Math.round((used * 10_000) / allowed) / 100;

const toCallback = ({ firingId, accountName, trigger, change, allowed, after }: UsageFiring): Callback => ({
  accountName,
  serviceName: 'Location',
  requestId: firingId,
  payload: usageTriggerFired({
    accountName,
    trigger: toWireTrigger(trigger),
    usage: { used: after, allowed, percent: percentOf(after, allowed), month: change.month },
  }),
});

const counterOf = ({ change: { accountName, serviceName, month } }: UsageFiring) =>
  `${accountName} ${serviceName} ${month}`;

/** Called in the transaction of the firing, so that people are notified exactly when it fired. */
export async function notifyFirings(
  ctx: Ctx,
  ecpdId: string,
  firings: readonly UsageFiring[],
): Promise<void> {
  if (firings.length === 0) return;
  await postCallbacks(
    ctx,
    ecpdId,
    [...Map.groupBy(firings, counterOf).values()].flatMap((levels) => inSequence(levels.map(toCallback))),
  );
  for (let from = 0; from < firings.length; from += FIRINGS_AT_ONCE) {
    await postNotifications(
      ctx,
      ecpdId,
      firings
        .slice(from, from + FIRINGS_AT_ONCE)
        .flatMap((firing) => [
          ...(firing.trigger.sendEmail ? [firingMail(firing)] : []),
          ...(firing.trigger.sendSms ? [firingSms(firing)] : []),
        ]),
    );
  }
}
