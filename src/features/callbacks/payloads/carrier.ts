import { type Static, Type } from 'typebox';
import { type Answered, envelopeOf, succeeded } from './envelope.ts';
import { Count, closed, DateTime, DeviceRefs, listOf, SlashDate, Text, toSlashDate } from './shapes.ts';

export const PlanChangePayload = envelopeOf(
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

export const ActivatePayload = envelopeOf(closed({ activateResponse: Activated }));

/** The line's own identifiers stand inside; those of the envelope are the ones the request named. */
export const activated = (
  request: Answered,
  line: Omit<Static<typeof Activated>, 'state'>,
): Static<typeof ActivatePayload> =>
  succeeded(request, {
    activateResponse: {
      deviceIds: line.deviceIds,
      ipAddress: line.ipAddress,
      state: 'Active',
      servicePlan: line.servicePlan,
      featureCodes: line.featureCodes,
      deviceCredential: line.deviceCredential,
    },
  });

/** In the account's time zone, whose days they are. */
export interface SuspensionDays {
  readonly resumesAt: Date;
  /** IANA name; UTC when absent. */
  readonly timeZone?: string;
  readonly maxSuspendDaysAllowed: number;
  readonly numDaysSuspendedLast12Months: number;
  readonly numDaysSuspendAllowedCurrent12Months: number;
}

export const Suspended = {
  expectedResumeDate: SlashDate,
  maxSuspendDaysAllowed: Count,
  numDaysSuspendedLast12Months: Count,
  numDaysSuspendAllowedCurrent12Months: Count,
};

export const suspendedFor = (days: SuspensionDays) => ({
  expectedResumeDate: toSlashDate(days.resumesAt, days.timeZone),
  maxSuspendDaysAllowed: days.maxSuspendDaysAllowed,
  numDaysSuspendedLast12Months: days.numDaysSuspendedLast12Months,
  numDaysSuspendAllowedCurrent12Months: days.numDaysSuspendAllowedCurrent12Months,
});

export const SuspendPayload = envelopeOf(closed({ suspendResponse: closed(Suspended) }));

export const suspended = (
  request: Omit<Answered, 'comment'>,
  days: SuspensionDays,
): Static<typeof SuspendPayload> =>
  succeeded(
    { ...request, comment: `The line resumes by itself on ${toSlashDate(days.resumesAt, days.timeZone)}` },
    { suspendResponse: suspendedFor(days) },
  );

export const RestorePayload = envelopeOf(closed({ restoreResponse: closed({ restored: Type.Boolean() }) }));

export const restored = (request: Answered): Static<typeof RestorePayload> =>
  succeeded(request, { restoreResponse: { restored: true } });

export const DeactivatePayload = envelopeOf(
  closed({ deactivateResponse: closed({ deactivated: Type.Boolean() }) }),
);

export const deactivated = (request: Answered): Static<typeof DeactivatePayload> =>
  succeeded(request, { deactivateResponse: { deactivated: true } });

const License = closed({
  skuNumber: Text,
  action: Type.Enum(['assign', 'unassign']),
  assigned: Type.Boolean({ description: 'Whether the device has the licence now' }),
});

export const LicensePayload = envelopeOf(closed({ licenseResponse: License }));

export const licenseChanged = (
  request: Answered,
  { skuNumber, action }: Pick<Static<typeof License>, 'skuNumber' | 'action'>,
): Static<typeof LicensePayload> =>
  succeeded(request, { licenseResponse: { skuNumber, action, assigned: action === 'assign' } });
