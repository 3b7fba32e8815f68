import { type Ctx, inTx } from '../../platform/context/context.ts';
import { keepFixes } from '../locations/index.ts';
import {
  type LedgerRecord,
  lockAccounts,
  type Part,
  type UsageEvaluator,
  writeWithin,
} from '../usage/index.ts';
import { findCellFixes, type SeenInCell } from './cells/cell-fixes.ts';
import { countryOf } from './countries.ts';
import { type SessionReport, sessionKeyOf } from './session-report.ts';
import { addReport, NOTHING_SEEN, type SessionState } from './session-state.ts';
import { type Doubt, insertDoubts } from './sql-doubt.ts';
import { noteEquipment } from './sql-equipment.ts';
import { listRestarts } from './sql-restart.ts';
import {
  closeBefore,
  insertSessions,
  LINE_HAS_LEFT,
  listInOtherProfiles,
  lockSessions,
  markMoved,
  type NamedSession,
  type SessionFacts,
  type StoredSession,
  updateSessions,
} from './sql-session.ts';

/** A report for a known line, and its record for the ledger. */
export interface LineReport {
  readonly line: number;
  readonly report: SessionReport;
  readonly record: LedgerRecord;
}

/**
 * The report added to the counted usage, added nothing, or was rejected. `doubtful`: after it, some of what was counted may
 * have been counted twice.
 */
export type ReportOutcome = 'counted' | 'doubtful' | 'nothing' | { readonly rejected: string };

export interface ReportPart extends Pick<Part, 'ecpdId' | 'accounts'> {
  /** In order of arrival. */
  readonly reports: readonly LineReport[];
}

const RECORD_ID_PREFIX = 'radius';

const sessionOf = ({ report, record }: LineReport, sessionKey: string): NamedSession => ({
  sessionKey,
  nas: report.nas,
  sessionId: report.sessionId,
  accountName: record.accountName,
  deviceId: record.deviceId,
});

const NO_FACTS: SessionFacts = {
  apn: undefined,
  rat: undefined,
  sgsn: undefined,
  ggsn: undefined,
  visited: undefined,
  countryCode: undefined,
  imeisv: undefined,
  address: undefined,
  cell: undefined,
  directionsSwapped: false,
};

const factsOf = ({
  apn,
  rat,
  sgsn,
  ggsn,
  visited,
  imeisv,
  address,
  cell,
  directionsSwapped,
}: SessionReport): SessionFacts => ({
  apn,
  rat,
  sgsn,
  ggsn,
  visited,
  countryCode: countryOf(visited),
  imeisv,
  address,
  cell,
  directionsSwapped,
});

/** A newer fact replaces an older one; an absent fact replaces nothing. */
const withNewer = (older: SessionFacts, newer: SessionFacts): SessionFacts => {
  const reported = Object.entries(newer).filter(([, value]) => value !== undefined);
  return { ...older, ...Object.fromEntries(reported) };
};

/** Ends the sessions of arrived lines in their former profiles. They continue here with the same counters. */
async function takeOver({ db, now }: Ctx, ecpdId: string, unknown: readonly string[]) {
  if (unknown.length === 0) return [];
  const taken: StoredSession[] = [];
  for (const { ecpdId: other, sessionKeys } of await listInOtherProfiles(db, ecpdId, unknown))
    taken.push(...(await markMoved(db, other, sessionKeys, now())));
  return taken;
}

interface Held {
  readonly session: NamedSession;
  /** No row exists yet. */
  readonly isNew: boolean;
  state: SessionState;
  facts: SessionFacts;
  readonly imeisv: string | null;
}

/**
 * The current sessions of the reports. Existing ones stay locked until this transaction ends; other transactions may
 * create a missing one.
 */
async function hold(ctx: Ctx, ecpdId: string, keyed: readonly (readonly [string, LineReport])[]) {
  // The last report for a key counts: it has the current name of the line.
  const named = new Map(keyed.map(([key, each]) => [key, sessionOf(each, key)]));
  const stored = new Map(
    (await lockSessions(ctx.db, ecpdId, [...named.keys()])).map((each) => [each.sessionKey, each]),
  );
  const absent = [...named.keys()].filter((key) => stored.get(key)?.moved !== false);
  const elsewhere = await takeOver(ctx, ecpdId, absent);
  const known = new Map([...stored.values(), ...elsewhere].map((each) => [each.sessionKey, each]));
  return new Map(
    [...named].map(([key, session]): [string, Held] => {
      const isNew = !stored.has(key);
      const found = known.get(key);
      if (found === undefined)
        return [key, { session, isNew, state: NOTHING_SEEN, facts: NO_FACTS, imeisv: null }];
      const { sessionKey: _key, moved: _moved, imeisv, ...state } = found;
      // The session did not end when its line moved.
      const goesOn = state.closeCause === LINE_HAS_LEFT ? { closedAtMs: null, closeCause: null } : {};
      return [key, { session, isNew, state: { ...state, ...goesOn }, facts: NO_FACTS, imeisv }];
    }),
  );
}

/** Another process has stored the first report of a session at the same time. The session exists now. */
export class SessionCreatedConcurrently extends Error {}

/** Inserts the sessions that are new; this transaction has the others locked. */
async function insertNew(ctx: Ctx, ecpdId: string, held: Iterable<Held>): Promise<void> {
  const sessions = [...held].filter(({ isNew }) => isNew);
  if (sessions.length > 0 && (await insertSessions(ctx.db, ecpdId, sessions)) < sessions.length)
    throw new SessionCreatedConcurrently('Another process created a session at the same time');
}

/** Stores the last device that each line was seen in. */
async function noticeDevices(ctx: Ctx, ecpdId: string, reports: readonly LineReport[]): Promise<void> {
  const seen = new Map(
    reports.flatMap(({ report: { imeisv, atMs }, record: { deviceId, accountName } }) =>
      imeisv === undefined ? [] : [[deviceId, { deviceId, accountName, imeisv, atMs }] as const],
    ),
  );
  if (seen.size > 0) await noteEquipment(ctx, ecpdId, [...seen.values()]);
}

/** Stores the position of each line by its cell, from the report with the latest date. */
async function keepPositions(
  { db, now }: Ctx,
  ecpdId: string,
  reports: readonly LineReport[],
): Promise<void> {
  const seen = new Map<string, SeenInCell>();
  for (const { report, record } of reports) {
    const { deviceId, atMs } = record;
    if (report.cell !== undefined && (seen.get(deviceId)?.atMs ?? -Infinity) <= atMs)
      seen.set(deviceId, { deviceId, cell: report.cell, rat: report.rat, atMs });
  }
  const fixes = await findCellFixes(db, [...seen.values()]);
  if (fixes.length > 0) await keepFixes(db, ecpdId, fixes, now());
}

/** Some records could not be written. The counters of their sessions must not include them. */
export class RecordsRejected extends Error {
  readonly reasons: ReadonlyMap<number, string>;
  constructor(reasons: ReadonlyMap<number, string>) {
    super('Records of sessions were rejected');
    this.reasons = reasons;
  }
}

/** Applies all reports to their sessions, and returns the records that they add. */
function addAll(
  keyed: readonly (readonly [string, LineReport])[],
  held: ReadonlyMap<string, Held>,
  restarts: ReadonlyMap<string, readonly number[]>,
) {
  const records: LedgerRecord[] = [];
  const doubts: (Doubt & { readonly line: number })[] = [];
  const ids = new Set<string>();
  for (const [key, { line, report, record }] of keyed) {
    const session = held.get(key)!;
    const { state, bytes, doubtful, mark } = addReport(session.state, report, restarts.get(report.nas) ?? []);
    session.state = state;
    session.facts = withNewer(session.facts, factsOf(report));
    const id = `${RECORD_ID_PREFIX}-${key}-${mark}-${report.atMs}`;
    // The same report twice.
    if (ids.has(id)) continue;
    ids.add(id);
    if (bytes > 0)
      records.push({ ...record, line, id, bytes, apn: report.apn, countryCode: countryOf(report.visited) });
    if (doubtful > 0)
      doubts.push({
        line,
        recordId: id,
        accountName: record.accountName,
        deviceId: record.deviceId,
        nas: report.nas,
        sessionId: report.sessionId,
        chargingId: report.chargingId ?? null,
        at: new Date(report.atMs),
        bytes: doubtful,
      });
  }
  return { records, doubts };
}

/** Takes reports for one profile's lines. The ledger records and the state of their sessions commit together. */
export const takePart = (
  outer: Ctx,
  { ecpdId, accounts, reports: given }: ReportPart,
  evaluator: UsageEvaluator,
): Promise<ReadonlyMap<number, ReportOutcome>> =>
  inTx(
    outer,
    async (ctx) => {
      const outcomes = new Map<number, ReportOutcome>(given.map(({ line }) => [line, 'nothing']));
      const names = [...new Set(given.map(({ record }) => record.accountName))];
      const alive = new Set(
        (await lockAccounts(ctx.db, ecpdId, names)).map(({ accountName }) => accountName),
      );
      for (const { line, record } of given)
        if (!alive.has(record.accountName)) outcomes.set(line, { rejected: 'device is not known' });
      const reports = given.filter(({ record }) => alive.has(record.accountName));
      if (reports.length === 0) return outcomes;
      const keyed = reports.map((each) => [sessionKeyOf(each.report), each] as const);
      const restarts = await listRestarts(ctx.db, [...new Set(reports.map(({ report }) => report.nas))]);
      const held = await hold(ctx, ecpdId, keyed);
      const { records, doubts } = addAll(keyed, held, restarts);
      await insertNew(ctx, ecpdId, held.values());
      if (records.length > 0) {
        const { rejected } = await writeWithin(ctx, { ecpdId, records, accounts }, evaluator);
        if (rejected.length > 0)
          throw new RecordsRejected(new Map(rejected.map(({ line, reason }) => [line, reason])));
        for (const { line } of records) outcomes.set(line, 'counted');
      }
      if (doubts.length > 0) await insertDoubts(ctx.db, ecpdId, doubts, ctx.now());
      for (const { line } of doubts) outcomes.set(line, 'doubtful');
      const known = [...held.values()].filter(({ isNew }) => !isNew);
      if (known.length > 0) await updateSessions(ctx.db, ecpdId, known);
      const starts = keyed.flatMap(([sessionKey, { report, record }]) =>
        report.kind === 'start'
          ? [{ sessionKey, deviceId: record.deviceId, apn: report.apn, atMs: report.atMs }]
          : [],
      );
      if (starts.length > 0) await closeBefore(ctx.db, ecpdId, starts);
      const changed = keyed.filter(
        ([key, { report }]) => report.imeisv !== undefined && report.imeisv !== held.get(key)!.imeisv,
      );
      await noticeDevices(
        ctx,
        ecpdId,
        changed.map(([, each]) => each),
      );
      await keepPositions(ctx, ecpdId, reports);
      return outcomes;
    },
    ecpdId,
  );
