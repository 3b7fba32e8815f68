import type { TSchema } from 'typebox';
import type { Ctx } from '../context/context.ts';
import type { Db } from '../db/db.ts';
import type { Query } from '../db/sql.ts';
import type { OperatorScope } from '../http/access.ts';

export interface Problem {
  readonly pointer: string;
  /** Where it stands; absent in a document of one line. */
  readonly line?: number;
  readonly detail: string;
}

export interface Found {
  readonly position: number;
  /** Inside the entry, such as `/imei`. */
  readonly path: string;
  readonly detail: string;
}

/** Where in the entry the problem is; a query where that differs from one to the next. */
type Path = string | Query;

/** What needs rows of a tenant is asked for one profile, by name: nothing else can be asked of a database on several servers. */
export type OfProfile = (ecpdId: string) => Query;

/**
 * `condition` speaks about `s`, the staged entry; every entry it is true for is a problem. A rule that reads tables of tenants
 * is a function of the profile, and reads its entries from `staged`.
 */
export interface Rule {
  readonly path: Path;
  readonly detail: string;
  readonly from?: Query | OfProfile;
  readonly condition: Query | OfProfile;
}

/** The same key twice in one document: which of the two would hold is anybody's guess, so neither does. */
interface Unique {
  readonly path: Path;
  readonly unique: Query;
}

/** Answers what it finds wrong. */
interface Search {
  readonly find: (ctx: Ctx, ecpdIds: readonly string[]) => Promise<readonly Found[]>;
}

/** What has to happen before the next rule, such as a lock. */
export type Work = (ctx: Ctx, ecpdIds: readonly string[]) => Promise<unknown>;

export type Step = Rule | Unique | Search | Work;

export interface ExportedAccount {
  readonly ecpdId: string;
  readonly accountName: string;
}

/** One account, or nothing for everything. */
export type ExportFilter = ExportedAccount | undefined;

/** What an export selects, read by keyset: each page begins behind the last row of the one before. */
export interface Selection {
  /** Each column named as in the entry. */
  readonly select: Query;
  /** Its first table is called `x`, or as `alias` says. */
  readonly from: Query;
  readonly alias?: string;
  /** Columns of that table that no two rows have in common. */
  readonly key: readonly string[];
  readonly groupBy?: Query;
  /** In an export of one account; those of the account by default. */
  readonly where?: (account: ExportedAccount) => Query;
  readonly entryOf?: (row: never) => unknown;
}

/**
 * One key of the fleet document. The feature that owns the tables owns the section: its shape, what must hold, how staged
 * entries are merged (set-based, from the temporary table `staged_entry`) and what an export selects. Where an entry is a
 * row of one table, `tableSection` makes all of it from a description. Importing again keeps what the document does not
 * mention.
 */
export interface FleetSection {
  readonly name: string;
  readonly entry: TSchema;
  /** How an entry names its tenant; resolved for all entries at once, after accounts are merged. */
  readonly tenant: 'account' | 'profile' | 'profile or known account' | 'none';
  /** What a key needs beside the right to import, because its calls for the same things need it too. */
  readonly scope?: OperatorScope;
  /** Members of the entry that hold documents of their owner: their numbers keep all digits. */
  readonly documents?: readonly string[];
  /** Rules beyond the schema that one entry can break by itself. */
  readonly check?: (entry: never) => readonly { path: string; detail: string }[];
  /** Work that needs more than SQL, such as hashing: replaces the entry before it is staged. */
  readonly prepare?: (ctx: Ctx, entry: never) => Promise<object> | object;
  /** Rules that need the other entries or the database, and what has to happen between them, in this order. */
  readonly verify?: readonly Step[];
  /** Before the first profile is written, with all of them: locks that are to be had in one order. */
  readonly beforeWrite?: (ctx: Ctx, ecpdIds: readonly string[]) => Promise<void>;
  /** Upserts the staged entries of one profile ('' where the tenant is none), when all have been verified. */
  readonly write: (ctx: Ctx, ecpdId: string) => Promise<unknown>;
  readonly afterWrite?: (ctx: Ctx, ecpdIds: readonly string[]) => Promise<void>;
  /** Entries in a stable order, page by page. */
  readonly export: Selection | ((db: Db, filter: ExportFilter) => AsyncIterable<unknown>);
}
