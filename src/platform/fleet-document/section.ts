import type { TSchema } from 'typebox';
import type { Ctx } from '../context/context.ts';
import type { Db } from '../db/db.ts';
import type { Query } from '../db/sql.ts';
import type { OperatorScope } from '../http/access.ts';

export interface Problem {
  readonly pointer: string;
  /** Absent in a document of one line. */
  readonly line?: number;
  readonly detail: string;
}

export interface Found {
  readonly position: number;
  /** Path inside the entry, such as `/imei`. */
  readonly path: string;
  readonly detail: string;
}

/** The path of the problem in the entry; a query if it differs between entries. */
type Path = string | Query;

/** Queries for tenant rows name one profile, because a database on several servers accepts no other. */
export type OfProfile = (ecpdId: string) => Query;

/**
 * `condition` is about `s`, the staged entry; each entry for which it is true is a problem. A rule that reads tenant tables is
 * a function of the profile, and reads its entries from `staged`.
 */
export interface Rule {
  readonly path: Path;
  readonly detail: string;
  readonly from?: Query | OfProfile;
  readonly condition: Query | OfProfile;
}

/** Refuses both entries with the same key, because it is unclear which of them should count. */
interface Unique {
  readonly path: Path;
  readonly unique: Query;
}

/** Returns the problems that it finds. */
interface Search {
  readonly find: (ctx: Ctx, ecpdIds: readonly string[]) => Promise<readonly Found[]>;
}

/** Work that must happen before the next rule, such as a lock. */
export type Work = (ctx: Ctx, ecpdIds: readonly string[]) => Promise<unknown>;

export type Step = Rule | Unique | Search | Work;

export interface ExportedAccount {
  readonly ecpdId: string;
  readonly accountName: string;
}

/** One account, or undefined for everything. */
export type ExportFilter = ExportedAccount | undefined;

/** The query of an export, read by keyset: each page begins after the last row of the page before. */
export interface Selection {
  /** Columns, named as in the entry. */
  readonly select: Query;
  /** The first table is called `x`, or `alias`. */
  readonly from: Query;
  readonly alias?: string;
  /** Columns of that table that identify a row. */
  readonly key: readonly string[];
  readonly groupBy?: Query;
  /** For an export of one account; default: the rows of the account. */
  readonly where?: (account: ExportedAccount) => Query;
  readonly entryOf?: (row: never) => unknown;
}

/**
 * One key of the fleet document. The feature that owns the tables owns the section: its shape, its rules, how staged entries
 * are merged (set-based, from the temporary table `staged_entry`), and what an export selects. If an entry is a row of one
 * table, `tableSection` derives all of it from a description. Another import keeps everything that its document does not
 * mention.
 */
export interface FleetSection {
  readonly name: string;
  readonly entry: TSchema;
  /** How an entry names its tenant; resolved for all entries at once, after accounts are merged. */
  readonly tenant: 'account' | 'profile' | 'profile or known account' | 'none';
  /** The scope that a key needs besides the right to import, because the calls for the same objects need it too. */
  readonly scope?: OperatorScope;
  /** Members that contain documents of their owner: their numbers keep all digits. */
  readonly documents?: readonly string[];
  /** Rules beyond the schema that concern one entry alone. */
  readonly check?: (entry: never) => readonly { path: string; detail: string }[];
  /** Work that SQL cannot do, such as hashing: replaces the entry before it is staged. */
  readonly prepare?: (ctx: Ctx, entry: never) => Promise<object> | object;
  /** Rules that need the other entries or the database, and work between them, in this order. */
  readonly verify?: readonly Step[];
  /** Called with all profiles before the first is written, for locks that must be taken in one order. */
  readonly beforeWrite?: (ctx: Ctx, ecpdIds: readonly string[]) => Promise<void>;
  /** Upserts the staged entries of one profile ('' without a tenant), after all have been verified. */
  readonly write: (ctx: Ctx, ecpdId: string) => Promise<unknown>;
  /** Writes those that lock what feeds need, after all other sections, so that feeds wait only for the end of the import. */
  readonly writeLast?: (ctx: Ctx, ecpdId: string) => Promise<unknown>;
  /** All of the section locks what feeds or logins need: it is verified and written after the other sections. */
  readonly isLast?: true;
  readonly afterWrite?: (ctx: Ctx, ecpdIds: readonly string[]) => Promise<void>;
  /** Entries in a stable order, page by page. */
  readonly export: Selection | ((db: Db, filter: ExportFilter) => AsyncIterable<unknown>);
}
