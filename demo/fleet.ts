import { accounts, managedAccounts, profiles, subscriptions } from './accounts.ts';
import { clients, users } from './credentials.ts';
import { devices } from './devices.ts';
import { consents, exclusions, licenseAssignments, licenses } from './holdings.ts';
import { numbering } from './lines.ts';
import { listeners } from './listeners.ts';
import { notificationGroups, userProfiles } from './people.ts';
import { serviceableZips } from './places.ts';
import { plans, ratePlanGroups } from './plans.ts';
import { rules } from './rules.ts';
import { gatewaysAndSensors } from './sensors.ts';
import { pricePlanTriggers, usageTriggers } from './triggers.ts';

/**
 * The demo fleet as a fleet document. Only its dates depend on `now`. Identifiers and ids are the same on
 * every machine, so that documentation can refer to them.
 */
export function demoFleet(now: Date, prefix = 'SVC') {
  const numbers = numbering();
  const lines = devices(now, numbers);
  const sites = gatewaysAndSensors(now, numbers);
  const gateways = sites.filter((entry) => entry.kind !== 'sensor');
  const withSim = [...lines, ...gateways];
  return {
    profiles,
    accounts,
    clients,
    users,
    plans,
    ratePlanGroups,
    serviceableZips,
    subscriptions: subscriptions(now, prefix),
    licenses: licenses(prefix),
    devices: [...lines, ...sites],
    userProfiles: userProfiles(now),
    rules: rules(sites),
    managedAccounts: managedAccounts(prefix),
    exclusions: exclusions(withSim),
    consents: consents(withSim),
    listeners,
    usageTriggers,
    pricePlanTriggers,
    licenseAssignments: licenseAssignments(withSim, prefix),
    notificationGroups,
  };
}
