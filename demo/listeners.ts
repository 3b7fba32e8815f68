import { COLD_CHAIN, PRIMARY, WATER } from './accounts.ts';

/** The address of `linekeeper listen`; the sandbox allows callbacks to this machine. */
const LISTENER_URL = 'http://127.0.0.1:9000/callbacks';

const wanted: Readonly<Record<string, readonly string[]>> = {
  [PRIMARY]: [
    'AlertService',
    'CarrierService',
    'DeviceUsage',
    'Location',
    'DeviceLocation',
    'consentEnableReport',
  ],
  [COLD_CHAIN]: ['AlertService', 'CarrierService'],
  [WATER]: ['AlertService', 'CarrierService', 'ExternalProvisioningChanges', 'Location'],
};

export const listeners = Object.entries(wanted).flatMap(([accountName, services]) =>
  services.map((serviceName) => ({
    accountName,
    serviceName,
    url: LISTENER_URL,
    username: 'demo-listener',
    password: 'demo-listener-password',
  })),
);
