import {
  accountsSection,
  managedAccountsSection,
  movesCycles,
  profilesSection,
} from '../features/accounts/index.ts';
import { type CheckAddressText, listenersSection } from '../features/callbacks/index.ts';
import { consentsSection, exclusionsSection, putDefaultConsents } from '../features/consents/index.ts';
import { applyImportedStates } from '../features/device-lifecycle/index.ts';
import { rulesSection, userProfilesSection } from '../features/device-management/index.ts';
import { devicesSection } from '../features/devices/index.ts';
import { notificationGroupsSection } from '../features/notifications/index.ts';
import { plansSection, ratePlanGroupsSection, serviceableZipsSection } from '../features/plans/index.ts';
import {
  followAccountsLater,
  followGroups,
  followPlans,
  followZones,
  pricePlanTriggersSection,
} from '../features/price-plan-triggers/index.ts';
import { clientsSection, usersSection } from '../features/sessions/index.ts';
import { licenseAssignmentsSection, licensesSection } from '../features/sim-secure/index.ts';
import { subscriptionsSection } from '../features/usage/index.ts';
import { usageTriggersSection } from '../features/usage-triggers/index.ts';
import type { FleetSection } from '../platform/fleet-document/section.ts';

/**
 * An account is never without a consent level: importing it puts the default on file. What waits for the end of its cycles
 * follows its zone; where its cycles begin elsewhere now, counters may be beyond levels that they have not passed.
 */
const accountsWithConsents: FleetSection = {
  ...accountsSection,
  async write(ctx, staging) {
    const ecpdIds = await staging.profilesOf('accounts');
    const moved: string[] = [];
    for (const ecpdId of ecpdIds) if (await movesCycles(ctx.db, ecpdId)) moved.push(ecpdId);
    await accountsSection.write(ctx, staging);
    for (const ecpdId of ecpdIds) {
      await putDefaultConsents(ctx, ecpdId);
      await followZones(ctx, ecpdId);
    }
    for (const ecpdId of moved) await followAccountsLater(ctx, ecpdId);
  },
};

/** A line that the operator suspends returns to active like any other: suspensions follow imported states. */
const devicesWithSuspensions: FleetSection = {
  ...devicesSection,
  async write(ctx, staging) {
    await devicesSection.write(ctx, staging);
    for (const ecpdId of await staging.profilesOf('devices')) await applyImportedStates(ctx, ecpdId);
  },
};

/** What triggers compare with depends on plans and groups. */
const plansWithLevels: FleetSection = {
  ...plansSection,
  async write(ctx, staging) {
    await plansSection.write(ctx, staging);
    await followPlans(ctx);
  },
};

const ratePlanGroupsWithLevels: FleetSection = {
  ...ratePlanGroupsSection,
  async write(ctx, staging) {
    await ratePlanGroupsSection.write(ctx, staging);
    for (const ecpdId of await staging.profilesOf('ratePlanGroups')) await followGroups(ctx, ecpdId);
  },
};

/** The keys of the fleet document, in the order in which one needs the other. */
export const fleetSectionsWith = (checkAddressText: CheckAddressText): readonly FleetSection[] => [
  profilesSection,
  accountsWithConsents,
  clientsSection,
  usersSection,
  plansWithLevels,
  ratePlanGroupsWithLevels,
  serviceableZipsSection,
  subscriptionsSection,
  devicesWithSuspensions,
  // After the devices, as assignments lock them: neither waits for the other in a circle.
  licensesSection,
  userProfilesSection,
  rulesSection,
  managedAccountsSection,
  exclusionsSection,
  consentsSection,
  listenersSection(checkAddressText),
  notificationGroupsSection,
  usageTriggersSection,
  pricePlanTriggersSection,
  licenseAssignmentsSection,
];

/** For programs that fill a database nobody sends from. */
export const fleetSections = fleetSectionsWith(() => undefined);
