import assert from 'node:assert/strict';
import { BILLED_APART, billedMonths } from '../case.ts';
import { nameOf, type Row } from '../outcome.ts';
import type { Played } from './play.ts';
import type { Answered } from './read-outcome.ts';

const sums = (amount: number, billed: number, total: number) => ({ amount, billed, total });

function rowsOf(who: Row, bill: Answered): Row[] {
  const countries = (what: string, name: string, list: Answered[]) =>
    list.map((one) => ({
      ...who,
      what,
      name,
      country: one.countryCode,
      ...sums(one.totalChargeAmount ?? one.chargeAmount, one.totalBilledUsage, one.totalUsage),
    }));
  const detailed = (name: string, { totalUsageDetails, totalDelayedUsageDetails }: Answered) => [
    ...countries('country', name, totalUsageDetails),
    ...countries('delayed', name, totalDelayedUsageDetails),
  ];
  return [
    { ...who, what: 'all', ...sums(bill.totalBilledAmount, bill.totalBilledUsage, bill.totalUsage) },
    ...(bill.usageApns ?? []).flatMap((one: Answered) => [
      { ...who, what: 'apn', name: one.name, ...sums(one.billedAmount, one.billedUsage, one.totalUsage) },
      ...detailed(one.name, one.apnDetails),
    ]),
    ...(bill.usageSegments ?? []).flatMap((one: Answered) => [
      {
        ...who,
        what: 'ratingGroup',
        name: one.ratingGroup,
        ...sums(one.ratingGroupBilledAmount, one.ratingGroupBilledUsage, one.ratingGroupTotalUsage),
      },
      ...detailed(one.ratingGroup, one.ratingGroupDetails),
    ]),
  ];
}

const toMonth = (name: string) => ({ year: Number(name.slice(0, 4)), month: Number(name.slice(5)) });

/** A bill for each month of each account, and the bills of its lines over all of them. */
export async function readBills(played: Played): Promise<void> {
  const { stage, drawn, names, outcome } = played;
  const asked = new Map<string, Row>();
  const months = billedMonths(drawn);
  for (const [n] of drawn.accounts.entries()) {
    const accountName = names.account(n);
    const ask = async (from: string, to: string, lineLevel: boolean) => {
      const billingCycle = { from: toMonth(from), to: toMonth(to) };
      const answer = await stage.call('POST', '/m2m/v2/devices/usage/actions/billed', {
        accountName,
        lineLevel,
        billingCycle,
      });
      assert.equal(answer.statusCode, 200, answer.body);
      const month = lineLevel ? `${from} to ${to}` : from;
      asked.set(answer.json().requestId, { account: nameOf.account(n), month });
    };
    for (const month of months.slice(-BILLED_APART)) await ask(month, month, false);
    await ask(months[0]!, months.at(-1)!, true);
  }
  await stage.moveTo(stage.world.clock.now().getTime());
  for (const { payload } of stage.post.heard.filter(({ serviceName }) => serviceName === 'DeviceUsage')) {
    const who = asked.get(payload.requestId);
    const bill = payload.deviceResponse?.billingUsageSummary;
    if (who === undefined || bill === undefined) {
      outcome.bills.push({ unexpected: JSON.stringify(payload) });
      continue;
    }
    const { deviceIdentifier } = bill;
    const line = deviceIdentifier && { line: names.fromImei(deviceIdentifier.id) };
    outcome.bills.push(...rowsOf({ ...who, ...line }, bill));
  }
}
