import { type Static, Type } from 'typebox';
import { Suspended, type SuspensionDays, suspendedFor } from './carrier.ts';
import { type Answered, envelopeOf, succeeded } from './envelope.ts';
import { AccountName, closed, DeviceRefs, OptionalText, SlashDate, Text, toSlashDate } from './shapes.ts';

export const ThrottlePayload = closed({
  accountName: AccountName,
  deviceIds: DeviceRefs,
  servicePlan: Text,
  throttle: Type.Enum(['partial', 'complete']),
  percent: Type.Number({ minimum: 0, description: 'Of the allowance, used' }),
});

export const throttleNotice = ({
  accountName,
  deviceIds,
  servicePlan,
  throttle,
  percent,
}: Static<typeof ThrottlePayload>): Static<typeof ThrottlePayload> => ({
  accountName,
  deviceIds,
  servicePlan,
  throttle,
  percent,
});

export const SuspensionStatusPayload = envelopeOf(
  closed({
    suspensionStatusResponse: closed({
      state: Text,
      suspendedOn: Type.Optional(SlashDate),
      ...Suspended,
      expectedResumeDate: Type.Optional(Suspended.expectedResumeDate),
    }),
  }),
);

/** A device that is not suspended has the counts only. */
export type SuspensionStatus = { readonly state: string } & (
  | (SuspensionDays & { readonly suspendedAt: Date })
  | Omit<SuspensionDays, 'resumesAt' | 'timeZone'>
);

export function suspensionStatus(
  request: Answered,
  status: SuspensionStatus,
): Static<typeof SuspensionStatusPayload> {
  const { state } = status;
  if ('suspendedAt' in status) {
    const suspendedOn = toSlashDate(status.suspendedAt, status.timeZone);
    return succeeded(request, {
      suspensionStatusResponse: { state, suspendedOn, ...suspendedFor(status) },
    });
  }
  const { maxSuspendDaysAllowed, numDaysSuspendedLast12Months, numDaysSuspendAllowedCurrent12Months } =
    status;
  return succeeded(request, {
    suspensionStatusResponse: {
      state,
      maxSuspendDaysAllowed,
      numDaysSuspendedLast12Months,
      numDaysSuspendAllowedCurrent12Months,
    },
  });
}

export const ResumeNoticePayload = envelopeOf(
  closed({ resumeTrackingResponse: closed({ expectedResumeDate: SlashDate }) }),
);

export const resumeNotice = (
  request: Omit<Answered, 'comment'>,
  { resumesAt, timeZone }: Pick<SuspensionDays, 'resumesAt' | 'timeZone'>,
): Static<typeof ResumeNoticePayload> =>
  succeeded(
    { ...request, comment: `Device will be auto resumed on - ${resumesAt.toISOString()}` },
    { resumeTrackingResponse: { expectedResumeDate: toSlashDate(resumesAt, timeZone) } },
  );

const CHANGES = [
  'Activate',
  'Deactivate',
  'Suspend',
  'Resume',
  'Change ESN',
  'Change MEID',
  'Change MDN',
  'Change IMEI',
  'Change ICCID',
  'Change Service Plan',
] as const;

export type ProvisioningChange = (typeof CHANGES)[number];

const ProvisioningChangeShape = closed({
  source: Text,
  change: Type.Enum([...CHANGES]),
  accountName: AccountName,
  carrierInformation: closed({ carrierName: Text, servicePlan: Text, state: Text }),
  groupName: OptionalText,
});

export const ProvisioningChangePayload = envelopeOf(
  closed({ provisioningChangeResponse: ProvisioningChangeShape }),
);

export const provisioningChanged = (
  request: Answered,
  provisioningChangeResponse: Static<typeof ProvisioningChangeShape>,
): Static<typeof ProvisioningChangePayload> => succeeded(request, { provisioningChangeResponse });
