import { calendarOf } from '../../kernel/calendar.ts';
import { toDeviceRefs } from '../../kernel/device-id.ts';
import { toZonedText } from '../../kernel/zoned-time.ts';
import type { Account } from '../accounts/index.ts';
import type { WireListedDevice } from './schemas-listing.ts';
import type { ListedDevice } from './sql-listing.ts';

/** The last second of the open bill cycle, in the account's time zone. */
function billingCycleEnd(account: Account, now: Date): string {
  const { toMs } = calendarOf(account).cycleAt('Monthly', now.getTime());
  return toZonedText(new Date(toMs - 1_000), account.timeZone);
}

/** The activation of an imported line is unknown; the start of its plan replaces it. */
const lastActivation = ({ activatedAt, planSince, state }: ListedDevice): Date | null =>
  activatedAt ?? (state === 'pre-active' ? null : planSince);

/** Creates a writer for the devices of a page. Linekeeper is the carrier, and has no groups or custom fields. */
export function deviceWriter(account: Account, now: Date): (device: ListedDevice) => WireListedDevice {
  const { accountName } = account;
  const billingCycleEndDate = billingCycleEnd(account, now);
  return (device) => {
    const { listNumber, state, servicePlan, createdOn, online, connectedAt, sku, ipAddress, activatedBy } =
      device;
    const activatedAt = lastActivation(device);
    return {
      accountName,
      billingCycleEndDate,
      carrierInformations: [{ carrierName: 'Linekeeper', servicePlan: servicePlan ?? '', state }],
      connected: state === 'active' && online,
      createdAt: createdOn.toISOString(),
      customFields: [],
      deviceIds: toDeviceRefs(device),
      extendedAttributes: [
        { key: 'DeviceId', value: listNumber },
        ...(sku === null ? [] : [{ key: 'SkuNumber', value: sku }]),
      ],
      groupNames: [],
      ipAddress: ipAddress ?? '',
      ...(activatedBy !== null && { lastActivationBy: activatedBy }),
      ...(activatedAt !== null && { lastActivationDate: activatedAt.toISOString() }),
      ...(connectedAt !== null && { lastConnectionDate: connectedAt.toISOString() }),
    };
  };
}
