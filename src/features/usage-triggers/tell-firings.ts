import type { Ctx } from '../../platform/context/context.ts';
import { type Callback, inSequence, postCallbacks, usageTriggerFired } from '../callbacks/index.ts';
import { postNotifications } from '../notifications/index.ts';
import { firingMail, firingSms } from './notice.ts';
import type { UsageFiring } from './usage-firing.ts';
import { toWireTrigger } from './wire.ts';

/** Each with up to a hundred recipients of both kinds. */
const TOLD_AT_ONCE = 500;

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

/** In the transaction of the firing: who asked for it is told, by whatever way, exactly when it fired. */
export async function tellFirings(ctx: Ctx, ecpdId: string, firings: readonly UsageFiring[]): Promise<void> {
  if (firings.length === 0) return;
  await postCallbacks(
    ctx,
    ecpdId,
    [...Map.groupBy(firings, counterOf).values()].flatMap((levels) => inSequence(levels.map(toCallback))),
  );
  for (let from = 0; from < firings.length; from += TOLD_AT_ONCE) {
    await postNotifications(
      ctx,
      ecpdId,
      firings
        .slice(from, from + TOLD_AT_ONCE)
        .flatMap((firing) => [
          ...(firing.trigger.sendEmail ? [firingMail(firing)] : []),
          ...(firing.trigger.sendSms ? [firingSms(firing)] : []),
        ]),
    );
  }
}
