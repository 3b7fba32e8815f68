import { cycleOf, dayFinder } from '../../kernel/bill-cycle.ts';
import { DEVICE_ID_KINDS } from '../../kernel/device-id.ts';
import { toZonedText } from '../../kernel/zoned-time.ts';
import type { Account } from '../accounts/index.ts';
import type { WireListedDevice } from './schemas-listing.ts';
import type { ListedDevice } from './sql-listing.ts';

/** The last second of the billing month that is open now, where the account is. */
function billingCycleEnd({ timeZone, billCycleDay }: Account, now: Date): string {
  const { dayAt, startOf } = dayFinder(timeZone);
  const { to } = cycleOf('Monthly', dayAt(now.getTime()), billCycleDay);
  return toZonedText(new Date(startOf(to) - 1_000), timeZone);
}

/** For all devices of a page. Linekeeper is the carrier, keeps no groups and no custom fields, and hands out no addresses. */
export function deviceWriter(account: Account, now: Date): (device: ListedDevice) => WireListedDevice {
  const { accountName } = account;
  const billingCycleEndDate = billingCycleEnd(account, now);
  return ({ listNumber, state, servicePlan, planSince, createdOn, online, sku, ...ids }) => ({
    accountName,
    billingCycleEndDate,
    carrierInformations: [{ carrierName: 'Linekeeper', servicePlan: servicePlan ?? '', state }],
    connected: state === 'active' && online,
    createdAt: createdOn.toISOString(),
    customFields: [],
    deviceIds: DEVICE_ID_KINDS.flatMap((kind) => {
      const id = ids[kind];
      return id === null ? [] : [{ id, kind }];
    }),
    extendedAttributes: [
      { key: 'DeviceId', value: listNumber },
      ...(sku === null ? [] : [{ key: 'SkuNumber', value: sku }]),
    ],
    groupNames: [],
    ipAddress: '',
    ...(planSince !== null && state !== 'pre-active' && { lastActivationDate: planSince.toISOString() }),
  });
}
