import type { Query } from './sql.ts';
import { statementFacts } from './statement-facts.ts';

export interface ServerState {
  /** Host and port in the metadata of the coordinator. */
  readonly name: string;
  readonly answers: boolean;
  /** When this state began. */
  readonly since: Date;
}

/** The servers of a distributed database. With only one server, all answers are trivial. */
export interface Servers {
  /** The servers that have rows of customers. */
  list(): readonly ServerState[];
  /** The profiles whose rows are on servers that answer. Undefined while all servers do. */
  reachable(): readonly string[] | undefined;
  isReachable(ecpdId: string): boolean;
  /** The name of the server that has the rows of a profile; undefined while that is not known. */
  serverOf(ecpdId: string): string | undefined;
  /** Calls the listener when a server stops answering. */
  onLost(listener: (server: string) => void): void;
}

export const ONE_SERVER: Servers = {
  list: () => [],
  reachable: () => undefined,
  isReachable: () => true,
  serverOf: () => undefined,
  onLost: () => {},
};

/** Where a statement must wait: the name of a server, or one of the values below. */
export type Place = string;
/** Reads only tables of the coordinator: callers, and which profile has an account or device. */
const COORDINATOR = '(coordinator)';
/** Finds work on all servers. */
const FINDING_WORK = '(finding work)';
/** May need all servers. */
const EVERYWHERE = '(everywhere)';
/** For a profile that is not known yet. */
const UNKNOWN = '(not known yet)';

/** The share of all connections that a place may use; undefined without a limit. */
export function shareOf(place: Place): number | undefined {
  if (place === COORDINATOR || place === UNKNOWN) return undefined;
  return place === EVERYWHERE || place === FINDING_WORK ? 1 / 3 : 1 / 2;
}

/** Places whose statements may wait for a server that does not answer: their connections are cut when it is lost. */
export const placesWaitingFor = (server: string): readonly Place[] => [
  server,
  FINDING_WORK,
  EVERYWHERE,
  UNKNOWN,
];

export interface Distribution {
  readonly servers: Servers;
  /** Tables that the coordinator reads without another server. */
  readonly ownTables: ReadonlySet<string>;
}

function findPlace(profiles: unknown, { serverOf }: Servers): Place {
  if (typeof profiles === 'string') return serverOf(profiles) ?? UNKNOWN;
  const [first, ...others] = new Set(Array.isArray(profiles) ? profiles.map(serverOf) : []);
  return first !== undefined && others.length === 0 ? first : EVERYWHERE;
}

export function placeOf(query: Query, { servers, ownTables }: Distribution): Place {
  const { tenantAt, tables } = statementFacts(query);
  if (query.findsWork) return FINDING_WORK;
  if (tenantAt !== undefined) return findPlace(query.values[tenantAt], servers);
  return tables.every((table) => ownTables.has(table)) ? COORDINATOR : EVERYWHERE;
}
