import { accountsSection, managedAccountsSection, profilesSection } from '../features/accounts/index.ts';
import { devicesSection } from '../features/devices/index.ts';
import { plansSection, ratePlanGroupsSection, serviceableZipsSection } from '../features/plans/index.ts';
import { clientsSection, usersSection } from '../features/sessions/index.ts';
import type { FleetSection } from '../platform/fleet-document/section.ts';

/** The keys of the fleet document, in the order in which one needs the other. */
export const fleetSections: readonly FleetSection[] = [
  profilesSection,
  accountsSection,
  clientsSection,
  usersSection,
  plansSection,
  ratePlanGroupsSection,
  serviceableZipsSection,
  devicesSection,
  managedAccountsSection,
];
