import { type Static, Type } from 'typebox';
import { SUSPENSION, Suspended, type SuspensionDays } from './carrier.ts';
import { type Answered, envelopeOf, succeeded } from './envelope.ts';
import { ACCOUNT, eventsOfService, IMEI, MDN, MOMENT, PLAN, REQUEST } from './event.ts';
import {
  AccountName,
  closed,
  DeviceRefs,
  OptionalText,
  only,
  SlashDate,
  Text,
  toSlashDate,
} from './shapes.ts';

const ThrottlePayload = closed({
  accountName: AccountName,
  deviceIds: DeviceRefs,
  servicePlan: Text,
  throttle: Type.Enum(['partial', 'complete']),
  percent: Type.Number({ minimum: 0, description: 'Of the allowance, used' }),
});

export const throttleNotice = (notice: Static<typeof ThrottlePayload>) => only(ThrottlePayload, notice);

const Status = closed({
  state: Text,
  suspendedOn: Type.Optional(SlashDate),
  ...Suspended.properties,
  expectedResumeDate: Type.Optional(SlashDate),
});
const SuspensionStatusPayload = envelopeOf(closed({ suspensionStatusResponse: Status }));

/** A device that is not suspended has only the counts. */
type SuspensionStatus = { readonly state: string } & (
  | (SuspensionDays & { readonly suspendedAt: Date })
  | Omit<SuspensionDays, 'resumesAt' | 'timeZone'>
);

export function suspensionStatus(
  request: Answered,
  status: SuspensionStatus,
): Static<typeof SuspensionStatusPayload> {
  const days = 'suspendedAt' in status && {
    suspendedOn: toSlashDate(status.suspendedAt, status.timeZone),
    expectedResumeDate: toSlashDate(status.resumesAt, status.timeZone),
  };
  return succeeded(request, { suspensionStatusResponse: only(Status, { ...status, ...days }) });
}

const ResumeNoticePayload = envelopeOf(
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

const ProvisioningChangePayload = envelopeOf(closed({ provisioningChangeResponse: ProvisioningChangeShape }));

export const provisioningChanged = (
  request: Answered,
  provisioningChangeResponse: Static<typeof ProvisioningChangeShape>,
): Static<typeof ProvisioningChangePayload> => succeeded(request, { provisioningChangeResponse });

export const noticeEvents = {
  throttle: eventsOfService('SubscriptionNotificationService')(
    'Data of a device will be throttled, in part or completely.',
    ThrottlePayload,
    {
      accountName: ACCOUNT,
      deviceIds: [IMEI, MDN],
      servicePlan: PLAN,
      throttle: 'partial',
      percent: 100,
    },
  ),
  suspensionStatus: eventsOfService('DeviceSuspensionStatus')(
    'The present and past suspension of a device in days.',
    SuspensionStatusPayload,
    suspensionStatus(REQUEST, { ...SUSPENSION, state: 'suspend', suspendedAt: MOMENT }),
  ),
  resumeNotice: eventsOfService('ResumeTrackingNotification')(
    'A suspended device will become active automatically.',
    ResumeNoticePayload,
    resumeNotice(REQUEST, SUSPENSION),
  ),
  provisioningChange: eventsOfService('ExternalProvisioningChanges')(
    'A device was changed outside the interface.',
    ProvisioningChangePayload,
    provisioningChanged(REQUEST, {
      source: 'operator',
      change: 'Change Service Plan',
      accountName: ACCOUNT,
      carrierInformation: { carrierName: 'Linekeeper', servicePlan: 'IOT-50MB', state: 'active' },
    }),
  ),
};
