import { type Ctx, inTx } from '../context/context.ts';
import { sql } from '../db/sql.ts';
import type { OperatorScope } from '../http/access.ts';
import { nestsTooDeep } from '../http/json-body.ts';
import { compileEntryCheck } from '../http/schema-compilers.ts';
import { hasInfinity } from '../json/exact-json.ts';
import { isStorableJson, NOT_STORABLE } from '../json/storable-text.ts';
import { DocumentError, parseDocument, type RawEntry } from './parse-document.ts';
import { parseEntry } from './parse-entry.ts';
import { placeOf, problemsAt, problemsOfStaged, withoutLines } from './problem-lines.ts';
import type { FleetSection, Found, Problem, Step } from './section.ts';
import { PROBLEMS_MAX, resolveTenants, verifyStep } from './verify-entries.ts';

/** Entries are read in batches of this many, or this many bytes, whichever comes first. */
const BATCH = 1_000;
const BATCH_BYTES = 8 * 1024 * 1024;
/** One import writes at a time: two documents that name the same objects would deadlock. */
const LOCK_KEY = 0x6c6b696d;

type ImportResult =
  | { readonly counts: Readonly<Record<string, number>> }
  | { readonly problems: readonly Problem[] };

/** Rolls back the transaction, but is not a failure. */
class Refused extends Error {
  readonly problems: readonly Problem[];
  constructor(problems: readonly Problem[]) {
    super();
    this.problems = problems;
  }
}

interface Reader {
  readonly section: FleetSection;
  /** Undefined for a proven document. */
  readonly check: ((entry: unknown) => readonly { pointer: string; detail: string }[]) | undefined;
}

interface Importing {
  /** The scopes of the sender; programs of the service have all. */
  readonly mayUse?: (scope: OperatorScope) => boolean;
  /** Tests have shown that an empty database accepts all of it: steps that only check for problems are skipped. */
  readonly isProven?: boolean;
}

/** Reads one entry: checks its shape and its own rules, and computes what SQL cannot. */
async function readEntry(
  ctx: Ctx,
  { section, check }: Reader,
  { position, text }: RawEntry,
): Promise<readonly Found[] | string> {
  const at = (path: string, detail: string): Found => ({ position, path, detail });
  if (nestsTooDeep(text)) return [at('', 'is nested too deep')];
  let entry: unknown;
  try {
    entry = parseEntry(text, section.documents);
  } catch {
    return [at('', 'is not valid JSON')];
  }
  if (!isStorableJson(text, entry)) return [at('', NOT_STORABLE)];
  if (hasInfinity(text)) return [at('', 'has a number that is too large')];
  if (check !== undefined) {
    const problems = check(entry).map(({ pointer, detail }) => at(pointer, detail));
    if (problems.length > 0) return problems;
    const broken = section.check?.(entry as never).map(({ path, detail }) => at(path, detail)) ?? [];
    if (broken.length > 0) return broken;
  }
  return JSON.stringify(section.prepare ? await section.prepare(ctx, entry as never) : entry);
}

/** Why a section must not be read, whatever it contains. */
function refusalOf(
  reader: Reader | undefined,
  isRepeated: boolean,
  mayUse: (scope: OperatorScope) => boolean,
): string | undefined {
  if (reader === undefined) return 'is not a known section';
  if (isRepeated) return 'stands in the document twice';
  const { scope } = reader.section;
  return scope === undefined || mayUse(scope) ? undefined : `needs an operator key with the scope ${scope}`;
}

async function stage(
  ctx: Ctx,
  chunks: AsyncIterable<Buffer>,
  readers: ReadonlyMap<string, Reader>,
  problems: Problem[],
  mayUse: (scope: OperatorScope) => boolean,
) {
  const counts: Record<string, number> = {};
  const sections = new Set<string>();
  let isTaken = false;
  let hasLines = false;
  let batch: RawEntry[] = [];
  let batchBytes = 0;

  const flush = async () => {
    const read = await Promise.all(batch.map((raw) => readEntry(ctx, readers.get(raw.section)!, raw)));
    const good = batch.flatMap((raw, i) => {
      const body = read[i];
      return typeof body === 'string' ? [{ ...raw, ...placeOf(raw), body }] : [];
    });
    for (const [i, raw] of batch.entries()) {
      const found = read[i]!;
      if (typeof found !== 'string' && problems.length < PROBLEMS_MAX)
        problems.push(...problemsAt(raw.section, placeOf(raw), found.slice(0, PROBLEMS_MAX)));
    }
    batch = [];
    batchBytes = 0;
    await ctx.db.exec(sql`
      insert into staged_entry (section, position, line, source, body)
      select * from unnest(${good.map((e) => e.section)}::text[], ${good.map((e) => e.position)}::int[],
                           ${good.map((e) => e.line)}::int[], ${good.map((e) => e.source)}::text[],
                           ${good.map((e) => e.body)}::jsonb[])`);
  };

  /** Whether the entries of the section should be read. */
  const begin = (name: string, line: number): boolean => {
    const detail = refusalOf(readers.get(name), sections.has(name), mayUse);
    sections.add(name);
    if (detail !== undefined) problems.push({ pointer: `/${name}`, line, detail });
    return detail === undefined;
  };

  for await (const piece of parseDocument(chunks)) {
    hasLines ||= piece.line > 1 || ('text' in piece && piece.text.includes('\n'));
    if ('begins' in piece) isTaken = begin(piece.begins, piece.line);
    else if (isTaken) {
      counts[piece.section] = piece.position + 1;
      batch.push(piece);
      batchBytes += piece.text.length;
      if (batch.length === BATCH || batchBytes >= BATCH_BYTES) await flush();
    }
    if (problems.length >= PROBLEMS_MAX) break;
  }
  await flush();
  return { counts, hasLines };
}

const listProfiles = ({ db }: Ctx, section: string): Promise<readonly string[]> =>
  db.values<string>(sql`
    select distinct ecpd_id as "ecpdId" from staged_entry where section = ${section} order by 1`);

/** From this many entries on, the planner needs statistics of entries and profiles, or it joins them row by row. */
const MANY = 1_000;

/** The steps that do more than check for problems. */
const onlyWork = (steps: readonly Step[]): readonly Step[] =>
  steps.filter((step) => typeof step === 'function');

/** Verifies the staged entries of a section, and writes them profile by profile. */
async function mergeSection(
  ctx: Ctx,
  section: FleetSection,
  count: number,
  isProven: boolean,
): Promise<void> {
  const { name } = section;
  const verify = async (steps: readonly Step[], ecpdIds: readonly string[]) => {
    const found: Found[] = [];
    for (const step of isProven ? onlyWork(steps) : steps)
      found.push(...(await verifyStep(ctx, name, step, ecpdIds)));
    if (found.length > 0)
      throw new Refused(await problemsOfStaged(ctx.db, name, found.slice(0, PROBLEMS_MAX)));
  };
  await verify(resolveTenants(section), []);
  if (count >= MANY) await ctx.db.exec(sql`analyze staged_entry`);
  const ecpdIds = await listProfiles(ctx, name);
  await verify(section.verify ?? [], ecpdIds);
  await section.beforeWrite?.(ctx, ecpdIds);
  for (const ecpdId of ecpdIds) await section.write(ctx, ecpdId);
  await section.afterWrite?.(ctx, ecpdIds);
}

/** What is locked stays locked until the commit, so sections that lock what feeds and logins need come last. */
async function mergeSections(
  ctx: Ctx,
  sections: readonly FleetSection[],
  counts: Readonly<Record<string, number>>,
  isProven: boolean,
): Promise<void> {
  const given = sections.filter(({ name }) => counts[name] !== undefined);
  const first = given.filter(({ isLast }) => isLast !== true);
  const last = given.filter(({ isLast }) => isLast === true);
  for (const section of first) await mergeSection(ctx, section, counts[section.name]!, isProven);
  for (const { name, writeLast } of first)
    if (writeLast !== undefined)
      for (const ecpdId of await listProfiles(ctx, name)) await writeLast(ctx, ecpdId);
  for (const section of last) await mergeSection(ctx, section, counts[section.name]!, isProven);
}

/**
 * Streams a document into a temporary table and merges it section by section in one transaction: a document is imported
 * completely or not at all, and memory does not grow with it.
 */
export async function importDocument(
  outer: Ctx,
  chunks: AsyncIterable<Buffer>,
  sections: readonly FleetSection[],
  { mayUse = () => true, isProven = false }: Importing = {},
): Promise<ImportResult> {
  const readers = new Map(
    sections.map((section) => {
      const check = isProven ? undefined : compileEntryCheck(section.entry);
      return [section.name, { section, check }];
    }),
  );
  const problems: Problem[] = [];
  let hasLines = false;
  const refusal = (found: readonly Problem[]) => ({
    problems: (hasLines ? found : withoutLines(found)).slice(0, PROBLEMS_MAX),
  });
  try {
    return await inTx(outer, async (ctx) => {
      await ctx.db.allowTime(15 * 60_000);
      await ctx.db.exec(sql`set local lock_timeout = '15min'`);
      // The sender of the document may pause.
      await ctx.db.exec(sql`set local idle_in_transaction_session_timeout = '15min'`);
      await ctx.db.exec(sql`
        create temporary table staged_entry (
          section text not null, position int not null, ecpd_id text not null default '', body jsonb not null,
          line int not null, source text)
        on commit drop`);
      const staged = await stage(ctx, chunks, readers, problems, mayUse);
      const { counts } = staged;
      hasLines = staged.hasLines;
      if (problems.length > 0) throw new Refused(problems);
      await ctx.db.exec(sql`select pg_advisory_xact_lock(${LOCK_KEY})`);
      await ctx.db.exec(sql`create index on staged_entry (section, ecpd_id, position)`);
      await mergeSections(ctx, sections, counts, isProven);
      return { counts };
    });
  } catch (error) {
    if (error instanceof Refused) return refusal(error.problems);
    if (!(error instanceof DocumentError)) throw error;
    const { message, line } = error;
    hasLines = line > 1;
    return refusal([{ pointer: '', line, detail: `The document ${message}` }]);
  }
}
