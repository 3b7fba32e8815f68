/** Members that only one service's messages have, in `deviceResponse` or beside it. */
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
 * The service that a message is of. It does not name it; what stands in it tells. Undefined for failures of devices, which
 * are the same for all services, and for what was sent by hand.
 */
export function serviceOf(payload: Fields): string | undefined {
  const { reportType } = { ...payload, ...fieldsOf(payload['message']) };
  if (reportType !== undefined)
    return reportType === 'LOCATION_REPORT' ? 'DeviceLocation' : 'consentEnableReport';
  const names = [...Object.keys(fieldsOf(payload['deviceResponse'])), ...Object.keys(payload)];
  return SERVICES.find(([, members]) => names.some((name) => members.test(name)))?.[0];
}
