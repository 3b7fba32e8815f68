/** Members that only one service's messages have, in `deviceResponse` or next to it. */
const SERVICES: readonly (readonly [service: string, members: RegExp])[] = [
  ['AlertService', /^alertServiceResponse$/],
  ['CarrierService', /^(changeServicePlan|activate|suspend|restore|deactivate|license)Response$/],
  ['DevicePRLInformation', /^prlInformationResponse$/],
  ['DeviceProfileService', /^profileResponse$/],
  ['DeviceService', /^availabilityResponse$/],
  ['DeviceSuspensionStatus', /^suspensionStatusResponse$/],
  ['DeviceUsage', /^(billingUsageSummary|usageResponse)$/],
  ['DiagnosticsService', /^diagnosticsResponse$/],
  ['EnhancedConnectivityService', /^(smsMessage|enhancedConnectivityResponse)$/],
  ['ExternalProvisioningChanges', /^provisioningChangeResponse$/],
  ['Fota', /^upgradeResponse$/],
  ['IntelligenceService', /^deviceExperienceResponse$/],
  ['NetworkEventService', /^networkEventResponse$/],
  ['NiddService', /^niddResponse$/],
  ['PromoChanges', /^promoChangeResponse$/],
  ['ResumeTrackingNotification', /^resumeTrackingResponse$/],
  ['SMSDeliveryConfirmation', /^smsDeliveryResponse$/],
  ['StateService', /^goToStateResponse$/],
  ['SubscriptionNotificationService', /^throttle$/],
  ['Location', /^(txid|trigger)$/],
];

type Fields = Readonly<Record<string, unknown>>;
const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {};

/**
 * The service of a message, derived from its content, because messages do not name it. Undefined for failures
 * of devices, which look the same for all services, and for test events.
 */
export function serviceOf(payload: Fields): string | undefined {
  const { reportType } = { ...payload, ...fieldsOf(payload['message']) };
  if (reportType !== undefined)
    return reportType === 'LOCATION_REPORT' ? 'DeviceLocation' : 'consentEnableReport';
  const names = [...Object.keys(fieldsOf(payload['deviceResponse'])), ...Object.keys(payload)];
  return SERVICES.find(([, members]) => names.some((name) => members.test(name)))?.[0];
}
