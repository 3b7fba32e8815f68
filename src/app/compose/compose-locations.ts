import {
  CHUNK,
  listenerNotifier,
  TOGETHER,
  withholdLocations,
} from '../../features/location-reports/index.ts';
import {
  applyConsents,
  purgeReports,
  recheckJob,
  relocateJob,
  retryAbsent,
  workJob,
} from '../../features/location-reports/jobs.ts';
import { createLocator, type PositionSource } from '../../features/locations/index.ts';
import type { WatchServices } from '../../features/usage/index.ts';
import type { Settings } from '../../platform/config/settings.ts';
import type { Log } from '../../platform/telemetry/log.ts';

/** Lower limits for tests. */
export interface LocationLimits {
  /** Devices processed at the same time. */
  readonly chunk?: number;
  /** Awaited entries handled together. */
  readonly together?: number;
  /** Devices checked in one query for whether they can be located now. */
  readonly perLook?: number;
  readonly accountsPerRecheck?: number;
}

/** The locations of devices, composed once for requests, jobs and callbacks. */
export function composeLocations(
  { prefix }: Pick<Settings, 'prefix'>,
  source: PositionSource | undefined,
  watchServices: WatchServices,
  log: Log,
  { chunk = CHUNK, together = TOGETHER, perLook, accountsPerRecheck }: LocationLimits = {},
) {
  const locator = createLocator(source, (error) =>
    log.warn({ err: error, source: source?.name }, 'the position source did not answer'),
  );
  const notify = listenerNotifier(prefix);
  const deps = { locator, notify, watchServices, chunk, together };
  const work = workJob(deps);
  const relocate = relocateJob(deps);
  const recheck = recheckJob(accountsPerRecheck);
  return {
    prefix,
    locator,
    watchServices,
    notify,
    workJob: work,
    relocate,
    jobs: [
      ...[work, relocate, recheck, applyConsents(relocate, perLook)],
      ...[retryAbsent(relocate, recheck), purgeReports],
    ],
    withhold: withholdLocations(prefix),
  };
}

export type Locations = ReturnType<typeof composeLocations>;
