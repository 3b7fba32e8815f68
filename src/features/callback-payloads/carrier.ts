import { type Static, Type } from 'typebox';
import { type Answered, envelopeOf, succeeded } from './envelope.ts';
import { eventsOfService, ICCID, MDN, MOMENT, MSISDN, PLAN, REQUEST } from './event.ts';
import { Count, closed, DateTime, DeviceRefs, listOf, only, SlashDate, Text, toSlashDate } from './shapes.ts';

const PlanChangePayload = envelopeOf(
  closed({ changeServicePlanResponse: closed({ effectiveDate: DateTime }) }),
);

export const planChanged = (
  request: Answered,
  { effectiveAt }: { readonly effectiveAt: Date },
): Static<typeof PlanChangePayload> =>
  succeeded(request, { changeServicePlanResponse: { effectiveDate: effectiveAt.toISOString() } });

const Activated = closed({
  deviceIds: DeviceRefs,
  ipAddress: Text,
  state: Type.Enum(['Active']),
  servicePlan: Text,
  featureCodes: listOf(Text),
  deviceCredential: closed({ username: Text, password: Text }, "The line's own, not the listener's"),
});

const ActivatePayload = envelopeOf(closed({ activateResponse: Activated }));

/** The line's own identifiers are in the response; those of the envelope are the ones that the request named. */
export const activated = (
  request: Answered,
  line: Omit<Static<typeof Activated>, 'state'>,
): Static<typeof ActivatePayload> =>
  succeeded(request, { activateResponse: only(Activated, { ...line, state: 'Active' }) });

/** Counts of days in the account's time zone. */
export interface SuspensionDays {
  readonly resumesAt: Date;
  /** IANA name; UTC when absent. */
  readonly timeZone?: string;
  readonly maxSuspendDaysAllowed: number;
  readonly numDaysSuspendedLast12Months: number;
  readonly numDaysSuspendAllowedCurrent12Months: number;
}

export const Suspended = closed({
  expectedResumeDate: SlashDate,
  maxSuspendDaysAllowed: Count,
  numDaysSuspendedLast12Months: Count,
  numDaysSuspendAllowedCurrent12Months: Count,
});

const SuspendPayload = envelopeOf(closed({ suspendResponse: Suspended }));

export const suspended = (
  request: Omit<Answered, 'comment'>,
  days: SuspensionDays,
): Static<typeof SuspendPayload> => {
  const expectedResumeDate = toSlashDate(days.resumesAt, days.timeZone);
  return succeeded(
    { ...request, comment: `The line resumes automatically on ${expectedResumeDate}` },
    { suspendResponse: only(Suspended, { ...days, expectedResumeDate }) },
  );
};

const RestorePayload = envelopeOf(closed({ restoreResponse: closed({ restored: Type.Boolean() }) }));

export const restored = (request: Answered): Static<typeof RestorePayload> =>
  succeeded(request, { restoreResponse: { restored: true } });

const DeactivatePayload = envelopeOf(closed({ deactivateResponse: closed({ deactivated: Type.Boolean() }) }));

export const deactivated = (request: Answered): Static<typeof DeactivatePayload> =>
  succeeded(request, { deactivateResponse: { deactivated: true } });

const License = closed({
  skuNumber: Text,
  action: Type.Enum(['assign', 'unassign']),
  assigned: Type.Boolean({ description: 'Whether the device has the licence now' }),
});

const LicensePayload = envelopeOf(closed({ licenseResponse: License }));

export const licenseChanged = (
  request: Answered,
  { skuNumber, action }: Pick<Static<typeof License>, 'skuNumber' | 'action'>,
): Static<typeof LicensePayload> =>
  succeeded(request, { licenseResponse: { skuNumber, action, assigned: action === 'assign' } });

export const SUSPENSION: SuspensionDays = {
  resumesAt: new Date('2026-04-03T15:16:17.000Z'),
  maxSuspendDaysAllowed: 90,
  numDaysSuspendedLast12Months: 12,
  numDaysSuspendAllowedCurrent12Months: 168,
};
const LINE = {
  deviceIds: [MDN, { id: '311480000123456', kind: 'imsi' }, ICCID, MSISDN, { id: MDN.id, kind: 'min' }],
  ipAddress: '10.20.30.40',
  servicePlan: PLAN,
  featureCodes: ['DATA', 'SMS'],
  deviceCredential: { username: '5125550147@linekeeper', password: 'made-up-for-this-line' },
};

const carrier = eventsOfService('CarrierService');

/** Results of requests that change a line. */
export const carrierEvents = {
  planChange: carrier(
    'The service plan of a device was changed.',
    PlanChangePayload,
    planChanged(REQUEST, { effectiveAt: MOMENT }),
  ),
  activate: carrier('A device is active.', ActivatePayload, activated(REQUEST, LINE)),
  suspend: carrier('A device is suspended.', SuspendPayload, suspended(REQUEST, SUSPENSION)),
  restore: carrier('A suspended device is active again.', RestorePayload, restored(REQUEST)),
  deactivate: carrier('A device is deactivated.', DeactivatePayload, deactivated(REQUEST)),
  license: carrier(
    'A licence was assigned to a device or removed from it.',
    LicensePayload,
    licenseChanged(REQUEST, { skuNumber: 'SIMSec-IoT', action: 'assign' }),
  ),
};
