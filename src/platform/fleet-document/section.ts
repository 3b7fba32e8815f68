import type { TSchema } from 'typebox';
import type { Ctx } from '../context/context.ts';
import type { Db } from '../db/db.ts';
import type { OperatorScope } from '../http/access.ts';

export interface Problem {
  readonly pointer: string;
  readonly detail: string;
}

/** What a section may ask of the document while it merges its entries. */
export interface Staging {
  /** Profiles that have entries in this section: each is merged by statements that name it alone. */
  profilesOf(section: string): Promise<readonly string[]>;
  /** `path` is inside the entry, such as `/imei`. */
  report(section: string, problems: readonly { position: number; path?: string; detail: string }[]): void;
}

/** Both, or neither for everything. */
export interface ExportFilter {
  readonly ecpdId?: string | undefined;
  readonly accountName?: string | undefined;
}

/**
 * One key of the fleet document. The feature that owns the tables owns the section: its shape, how
 * staged entries are merged (set-based, from the temporary table `staged_entry`) and how they are
 * written out again. Importing again keeps what the document does not mention.
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
  /** Work that needs more than SQL, such as hashing: replaces the entry before it is staged. */
  readonly prepare?: (ctx: Ctx, entry: never) => Promise<object> | object;
  /** Rules beyond the schema that one entry can break by itself. */
  readonly check?: (entry: never) => readonly { path: string; detail: string }[];
  /** Rules that need the other entries or the database; set-based, reports what it finds. */
  readonly verify?: (ctx: Ctx, staging: Staging) => Promise<void>;
  /** Upserts what is staged. Runs only when no section up to this one has reported anything. */
  readonly write: (ctx: Ctx, staging: Staging) => Promise<void>;
  /** Entries in a stable order, read page by page. */
  readonly export: (db: Db, filter: ExportFilter) => AsyncIterable<unknown>;
}

export const EXPORT_PAGE = 1_000;

/** Keyset paging: `fetch` answers at most EXPORT_PAGE rows after the last one given. */
export async function* inPages<Row>(
  fetch: (after: Row | undefined) => Promise<readonly Row[]>,
): AsyncIterable<Row> {
  let last: Row | undefined;
  for (;;) {
    const page: readonly Row[] = await fetch(last);
    yield* page;
    if (page.length < EXPORT_PAGE) return;
    last = page.at(-1);
  }
}
