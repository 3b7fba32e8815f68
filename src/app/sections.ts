import { accountsSection, managedAccountsSection, profilesSection } from '../features/accounts/index.ts';
import { type CheckAddressText, listenersSection } from '../features/callbacks/index.ts';
import {
  consentsSection,
  exclusionsSection,
  keepReplacedExclusions,
  putDefaultConsents,
  withdrawIdentified,
} from '../features/consents/index.ts';
import { applyImportedStates } from '../features/device-lifecycle/index.ts';
import { rulesSection, userProfilesSection } from '../features/device-management/index.ts';
import { devicesSection } from '../features/devices/index.ts';
import { type LineNetwork, orderImported, stageLines } from '../features/network/index.ts';
import { notificationGroupsSection } from '../features/notifications/index.ts';
import {
  changesGroups,
  listChangedNames,
  plansSection,
  ratePlanGroupsSection,
  serviceableZipsSection,
} from '../features/plans/index.ts';
import {
  listProfilesComparing,
  listTriggerIds,
  pricePlanTriggersSection,
} from '../features/price-plan-triggers/index.ts';
import { clientsSection, usersSection } from '../features/sessions/index.ts';
import { licenseAssignmentsSection, licensesSection } from '../features/sim-secure/index.ts';
import { keepLevels, refreshLevelsLater } from '../features/trigger-evaluation/index.ts';
import { subscriptionsSection } from '../features/usage/index.ts';
import { usageTriggersSection } from '../features/usage-triggers/index.ts';
import type { Ctx } from '../platform/context/context.ts';
import type { FleetSection } from '../platform/fleet-document/section.ts';

/** Work of later features that depends on a section's rows, for each profile after all rows are written. */
const thenApply = (
  section: FleetSection,
  apply: (ctx: Ctx, ecpdId: string) => Promise<unknown>,
): FleetSection => ({
  ...section,
  async afterWrite(ctx, ecpdIds) {
    await section.afterWrite?.(ctx, ecpdIds);
    for (const ecpdId of ecpdIds) await apply(ctx, ecpdId);
  },
});

/** An account always has a consent level, so an import stores the default. */
const accountsWithConsents: FleetSection = {
  ...accountsSection,
  async write(ctx, ecpdId) {
    await accountsSection.write(ctx, ecpdId);
    await putDefaultConsents(ctx, ecpdId);
  },
};

/** The levels of triggers depend on plans and groups. Only those that change are refreshed, by jobs after the import. */
const plansWithLevels: FleetSection = {
  ...plansSection,
  async write(ctx, ecpdId) {
    const names = await listChangedNames(ctx.db);
    await plansSection.write(ctx, ecpdId);
    for (const profile of await listProfilesComparing(ctx.db, names)) await refreshLevelsLater(ctx, profile);
  },
};
const groupsWithLevels: FleetSection = {
  ...ratePlanGroupsSection,
  async write(ctx, ecpdId) {
    const isCompared =
      (await listTriggerIds(ctx.db, ecpdId)).length > 0 && (await changesGroups(ctx.db, ecpdId));
    await ratePlanGroupsSection.write(ctx, ecpdId);
    if (isCompared) await refreshLevelsLater(ctx, ecpdId);
  },
};

/** An exclusion stands for a device, whatever identifiers an import gives it. */
const withExclusions = (section: FleetSection): FleetSection =>
  thenApply(
    {
      ...section,
      async beforeWrite(ctx, ecpdIds) {
        await section.beforeWrite?.(ctx, ecpdIds);
        for (const ecpdId of ecpdIds) await keepReplacedExclusions(ctx, ecpdId);
      },
    },
    withdrawIdentified,
  );

/** Orders the network to follow the imported changes of lines. */
const onNetwork = (section: FleetSection, network: LineNetwork | undefined): FleetSection =>
  network === undefined
    ? section
    : thenApply(
        {
          ...section,
          async beforeWrite(ctx, ecpdIds) {
            await section.beforeWrite?.(ctx, ecpdIds);
            await stageLines(ctx, network, ecpdIds);
          },
        },
        (ctx, ecpdId) => orderImported(ctx, network, ecpdId),
      );

/** The keys of the fleet document, in order of dependency. */
export const fleetSectionsWith = (
  checkAddressText: CheckAddressText,
  network?: LineNetwork,
): readonly FleetSection[] => [
  profilesSection,
  accountsWithConsents,
  clientsSection,
  usersSection,
  plansWithLevels,
  groupsWithLevels,
  serviceableZipsSection,
  subscriptionsSection,
  // A line suspended by the operator returns to active like any other.
  onNetwork(withExclusions(thenApply(devicesSection, applyImportedStates)), network),
  // After the devices, because assignments lock them, and the order prevents deadlocks.
  licensesSection,
  userProfilesSection,
  rulesSection,
  managedAccountsSection,
  exclusionsSection,
  consentsSection,
  listenersSection(checkAddressText),
  notificationGroupsSection,
  usageTriggersSection,
  pricePlanTriggersSection(keepLevels),
  licenseAssignmentsSection,
];

/** For programs that fill a database without sending anything. */
export const fleetSections = fleetSectionsWith(() => undefined);
