/** The callback services of the interface, without reserved names (DevicePromoUsage and others). */
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

/** Every service name that a listener can be registered for. */
export const LISTENER_SERVICES = [
  ...CALLBACK_SERVICES,
  'NetworkEventService',
  'Location',
  'DeviceLocation',
  'consentEnableReport',
  'Fota',
] as const;

export type ListenerService = (typeof LISTENER_SERVICES)[number];
