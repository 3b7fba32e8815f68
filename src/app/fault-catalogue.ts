import { billingFaults } from '../features/billing-summary/errors.ts';
import { callbackFaults, inArea } from '../features/callbacks/errors.ts';
import { carrierFaults, deviceFaults } from '../features/carrier-requests/errors.ts';
import { consentFaults } from '../features/consents/errors.ts';
import { consoleFaults } from '../features/console/errors.ts';
import { lifecycleFaults, transitionFaults } from '../features/device-lifecycle/errors.ts';
import { recordFaults } from '../features/device-management/errors.ts';
import { listingFaults, placeFaults } from '../features/devices/errors.ts';
import { injectedFaults } from '../features/injected-faults/errors.ts';
import { moveFaults } from '../features/line-moves/errors.ts';
import { requestFaults } from '../features/location-reports/errors.ts';
import { locationFaults } from '../features/locations/errors.ts';
import { managedAccountFaults } from '../features/managed-accounts/errors.ts';
import { operatorFaults } from '../features/operator/errors.ts';
import { scenarioFaults, snapshotFaults } from '../features/operator/index.ts';
import { planChangeFaults, planDeviceFaults } from '../features/plan-change/errors.ts';
import { pricePlanTriggerFaults } from '../features/price-plan-triggers/errors.ts';
import { requestLogFaults } from '../features/request-log/errors.ts';
import { loginFaults, oauthFaults } from '../features/sessions/errors.ts';
import { licenseDeviceFaults, licenseFaults } from '../features/sim-secure/errors.ts';
import { smartAlertFaults } from '../features/smart-alerts/errors.ts';
import { lineFaults, triggerActionFaults } from '../features/trigger-actions/errors.ts';
import { backtestFaults } from '../features/trigger-evaluation/errors.ts';
import { usageTriggerFaults } from '../features/usage-triggers/errors.ts';
import type { FaultKind } from '../platform/context/fault.ts';
import { operatorsOnly, scopeMissing } from '../platform/http/access.ts';
import * as dialects from '../platform/http/dialects.ts';
import { gatewayFaults } from '../platform/http/faults.ts';

/** Every code, message and status of the service's errors, by source. */
export const faultCatalogue: Readonly<Record<string, Readonly<Record<string, FaultKind>>>> = {
  gateway: gatewayFaults,
  ...Object.fromEntries(Object.values(dialects).map(({ name, faults }) => [`${name} area`, faults])),
  'billing summary': billingFaults,
  callbacks: callbackFaults,
  'callbacks of the location area': Object.fromEntries(
    Object.entries(callbackFaults).map(([name, kind]) => [name, inArea(kind, 'location')]),
  ),
  'carrier requests': carrierFaults,
  'devices of carrier requests': deviceFaults,
  'device lifecycle': lifecycleFaults,
  'devices of lifecycle requests': transitionFaults,
  consents: consentFaults,
  'device management': recordFaults,
  console: { ...consoleFaults, operatorsOnly },
  devices: listingFaults,
  'places of use': placeFaults,
  locations: locationFaults,
  'location reports': requestFaults,
  'managed accounts': managedAccountFaults,
  operator: { ...operatorFaults, scopeMissing },
  scenarios: scenarioFaults,
  snapshots: snapshotFaults,
  'moves of lines': moveFaults,
  'price plan triggers': {
    ...pricePlanTriggerFaults,
    ...triggerActionFaults,
    ...lineFaults,
    ...backtestFaults,
  },
  login: loginFaults,
  oauth: oauthFaults,
  'plan change': planChangeFaults,
  'devices of plan changes': planDeviceFaults,
  'log of requests': requestLogFaults,
  'failure on purpose': injectedFaults,
  'SIM Secure licences': licenseFaults,
  'devices of licence assignments': licenseDeviceFaults,
  'smart alerts': smartAlertFaults,
  'usage triggers': usageTriggerFaults,
};

const keyOf = ({ status, code, message }: FaultKind) => `${status} ${code} ${message}`;
const sections = new Map<string, string[]>();
for (const [section, faults] of Object.entries(faultCatalogue))
  for (const kind of Object.values(faults))
    sections.set(keyOf(kind), [...(sections.get(keyOf(kind)) ?? []), section]);

/** The place of an error in docs/errors.md: under its area if several sources share it. */
export function findRule(kind: FaultKind, area: string): string | undefined {
  const found = sections.get(keyOf(kind)) ?? [];
  const section = found.find((name) => name === `${area} area`) ?? found[0];
  return section && `docs/errors.md#${section.toLowerCase().replaceAll(' ', '-')}`;
}
