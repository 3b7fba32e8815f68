/** The callback services of the interface. Reserved names (DevicePromoUsage and others) are not among them. */
const CALLBACK_SERVICES = [
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
] as const;

/** Every name that a listener can be registered under. */
export const LISTENER_SERVICES = [
  ...CALLBACK_SERVICES,
  'NetworkEventService',
  'Location',
  'DeviceLocation',
  'consentEnableReport',
  'Fota',
] as const;

export type ListenerService = (typeof LISTENER_SERVICES)[number];
