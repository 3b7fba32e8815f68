import type { Query } from './sql.ts';
import { statementFacts } from './statement-facts.ts';

export interface ServerState {
  /** Host and port, as the coordinator knows them. */
  readonly name: string;
  readonly answers: boolean;
  /** When it began or ceased to. */
  readonly since: Date;
}

/** The servers of a distributed database. Where there is only one, all of its answers are the trivial ones. */
export interface Servers {
  /** Those that have rows of customers. */
  list(): readonly ServerState[];
  /** The profiles whose rows are on servers that answer. Undefined while all servers do. */
  reachable(): readonly string[] | undefined;
  isReachable(ecpdId: string): boolean;
  /** The name of the server that has the rows of a profile; undefined while that is not known. */
  serverOf(ecpdId: string): string | undefined;
  /** Calls back when a server ceases to answer. */
  onLost(listener: (server: string) => void): void;
}

export const ONE_SERVER: Servers = {
  list: () => [],
  reachable: () => undefined,
  isReachable: () => true,
  serverOf: () => undefined,
  onLost: () => {},
};

/** Where a statement has to wait: a server by its name, or one of these. */
export type Place = string;
/** Only for what the coordinator has itself: who calls, and whose an account or device is. */
const COORDINATOR = '(coordinator)';
/** Looks for work over all servers. */
const LOOKING = '(looking for work)';
/** May need all servers. */
const EVERYWHERE = '(everywhere)';
/** Of a profile that was not met before. */
const UNKNOWN = '(not known yet)';

/** Where no more than a share of the connections may be used, a part of all; undefined where any number may. */
export function shareOf(place: Place): number | undefined {
  if (place === COORDINATOR || place === UNKNOWN) return undefined;
  return place === EVERYWHERE || place === LOOKING ? 1 / 3 : 1 / 2;
}

/** What has to wait for a server that does not answer: these are cut when it is lost. */
export const placesWaitingFor = (server: string): readonly Place[] => [server, LOOKING, EVERYWHERE, UNKNOWN];

export interface Distribution {
  readonly servers: Servers;
  /** Tables that the coordinator reads by itself. */
  readonly ownTables: ReadonlySet<string>;
}

function findPlace(profiles: unknown, { serverOf }: Servers): Place {
  if (typeof profiles === 'string') return serverOf(profiles) ?? UNKNOWN;
  const [first, ...others] = new Set(Array.isArray(profiles) ? profiles.map(serverOf) : []);
  return first !== undefined && others.length === 0 ? first : EVERYWHERE;
}

export function placeOf(query: Query, { servers, ownTables }: Distribution): Place {
  const { tenantAt, tables } = statementFacts(query);
  if (query.looksForWork) return LOOKING;
  if (tenantAt !== undefined) return findPlace(query.values[tenantAt], servers);
  return tables.every((table) => ownTables.has(table)) ? COORDINATOR : EVERYWHERE;
}
