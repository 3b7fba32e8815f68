import { readFileSync } from 'node:fs';
import type { Body } from '../sdk/index.ts';

export type ServiceName = Body<'POST /operator/v1/events'>['serviceName'];

/** All callbacks, with an example of each. */
interface AsyncApiDocument {
  readonly channels: Readonly<Record<string, { readonly messages: Readonly<Record<string, unknown>> }>>;
  readonly components: {
    readonly messages: Readonly<
      Record<string, { readonly summary: string; readonly examples: readonly { readonly payload: object }[] }>
    >;
  };
}

/** Loaded on demand, because most commands need no samples. */
export const loadSamples = (): AsyncApiDocument =>
  JSON.parse(readFileSync(new URL('../../asyncapi.json', import.meta.url), 'utf8')) as AsyncApiDocument;

export const SERVICE_NAMES = [
  'AlertService',
  'CarrierService',
  'DevicePRLInformation',
  'DeviceProfileService',
  'DeviceService',
  'DeviceSuspensionStatus',
  'DeviceUsage',
  'DiagnosticsService',
  'EnhancedConnectivityService',
  'ExternalProvisioningChanges',
  'IntelligenceService',
  'NiddService',
  'PromoChanges',
  'ResumeTrackingNotification',
  'SMSDeliveryConfirmation',
  'StateService',
  'SubscriptionNotificationService',
  'NetworkEventService',
  'Location',
  'DeviceLocation',
  'consentEnableReport',
  'Fota',
] as const satisfies readonly ServiceName[];

/** The account in the document's examples. */
const SAMPLE_ACCOUNT = '0000123456-00001';
const SAMPLE_REQUEST = '5c7d2b1e-0f43-4c38-9d6a-7f1f0a4f6b21';
/** The fields that each attempt adds. */
const OF_AN_ATTEMPT = new Set(['callbackCount', 'maxCallbackThreshold']);

/** The document's example, adapted to this account and request. */
export function sampleOf(
  event: string,
  { accountName, requestId }: { readonly accountName: string; readonly requestId: string },
): object {
  const payload = loadSamples().components.messages[event]?.examples[0]?.payload ?? {};
  return JSON.parse(JSON.stringify(payload), (name, value: unknown) => {
    if (OF_AN_ATTEMPT.has(name)) return undefined;
    if (value === SAMPLE_REQUEST) return requestId;
    return value === SAMPLE_ACCOUNT ? accountName : value;
  }) as object;
}
