/** The position of every device: the nth entries of all columns belong together. */
interface Columns {
  readonly ids: readonly string[];
  readonly names: readonly string[];
  readonly latitudes: ArrayLike<number>;
  readonly longitudes: ArrayLike<number>;
  readonly radii: ArrayLike<number>;
  readonly times: ArrayLike<number>;
  /** Index of the line's state in STATES. */
  readonly states: ArrayLike<number>;
}

/** In the order of the service's numbers. */
export const STATES = ['pre-active', 'active', 'suspend'] as const;

export interface Fleet extends Columns {
  readonly latitudes: Float64Array;
  readonly longitudes: Float64Array;
  readonly radii: Float64Array;
  readonly times: Float64Array;
  readonly states: Uint8Array;
  /** Index of each device in the columns. */
  readonly places: ReadonlyMap<string, number>;
  /** Time of the newest fix, in seconds since 1970. */
  readonly newest: number;
}

/** Joins all parts; for a device in several parts, the last one counts. */
export function toFleet(parts: readonly Columns[]): Fleet {
  const placeOf = new Map<string, number>();
  for (const { ids } of parts) for (const id of ids) if (!placeOf.has(id)) placeOf.set(id, placeOf.size);
  const column = () => new Float64Array(placeOf.size);
  const names = new Array<string>(placeOf.size);
  const [latitudes, longitudes, radii, times] = [column(), column(), column(), column()];
  const states = new Uint8Array(placeOf.size);
  let newest = 0;
  for (const part of parts)
    part.ids.forEach((id, n) => {
      const at = placeOf.get(id)!;
      names[at] = part.names[n]!;
      latitudes[at] = part.latitudes[n]!;
      longitudes[at] = part.longitudes[n]!;
      radii[at] = part.radii[n]!;
      times[at] = part.times[n]!;
      states[at] = part.states[n]!;
      newest = Math.max(newest, times[at]);
    });
  const ids = [...placeOf.keys()];
  return { ids, names, latitudes, longitudes, radii, times, states, places: placeOf, newest };
}

/** Most updates concern known devices, and change only their entries. */
export function withNews(fleet: Fleet, news: Fleet): Fleet {
  const places = news.ids.map((id) => fleet.places.get(id));
  // The service repeats the newest ones, because others of the same second may have followed.
  const isKnown = (at: number | undefined, n: number) =>
    at !== undefined &&
    fleet.times[at] === news.times[n] &&
    fleet.latitudes[at] === news.latitudes[n] &&
    fleet.longitudes[at] === news.longitudes[n] &&
    fleet.states[at] === news.states[n];
  if (places.every(isKnown)) return fleet;
  if (places.includes(undefined)) return toFleet([fleet, news]);
  const [latitudes, longitudes] = [fleet.latitudes.slice(), fleet.longitudes.slice()];
  const [radii, times, states] = [fleet.radii.slice(), fleet.times.slice(), fleet.states.slice()];
  places.forEach((at, n) => {
    if (at === undefined) return;
    latitudes[at] = news.latitudes[n]!;
    longitudes[at] = news.longitudes[n]!;
    radii[at] = news.radii[n]!;
    times[at] = news.times[n]!;
    states[at] = news.states[n]!;
  });
  return {
    ...fleet,
    latitudes,
    longitudes,
    radii,
    times,
    states,
    newest: Math.max(fleet.newest, news.newest),
  };
}

/** The time of a fix in the format of other times. */
export const timeOf = ({ times }: Fleet, nth: number): string => new Date(times[nth]! * 1_000).toISOString();
