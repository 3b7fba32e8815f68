import { CHUNK, tellListeners, withholdLocations } from '../features/location-reports/index.ts';
import {
  askForAbsent,
  followConsents,
  purgeReports,
  relocateJob,
  workJob,
} from '../features/location-reports/jobs.ts';
import { createLocator, type PositionSource } from '../features/locations/index.ts';
import type { WatchServices } from '../features/usage/index.ts';
import type { Settings } from '../platform/config/settings.ts';
import type { Log } from '../platform/log.ts';

/** Everything that has to do with where devices are, put together once: requests, jobs and callbacks share it. */
export function composeLocations(
  { prefix }: Pick<Settings, 'prefix'>,
  source: PositionSource | undefined,
  watchServices: WatchServices,
  log: Log,
  chunk = CHUNK,
) {
  const locator = createLocator(source, (error) =>
    log.warn({ err: error, source: source?.name }, 'the position source gave no answer'),
  );
  const tell = tellListeners(prefix);
  const deps = { locator, tell, watchServices, chunk };
  const work = workJob(deps);
  const relocate = relocateJob(deps);
  return {
    prefix,
    locator,
    watchServices,
    tell,
    workJob: work,
    relocate,
    jobs: [work, relocate, followConsents(relocate), askForAbsent(relocate), purgeReports],
    withhold: withholdLocations(prefix),
  };
}

export type Locations = ReturnType<typeof composeLocations>;
