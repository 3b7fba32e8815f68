import type { Db } from '../db/db.ts';
import { sql } from '../db/sql.ts';
import type { ExportFilter, FleetSection } from './section.ts';
import { selectEntries } from './select-entries.ts';

/** An entry without null members: absent and null mean the same in a document. */
const withoutNulls = (entry: unknown): unknown =>
  typeof entry === 'object' && entry !== null && !Array.isArray(entry)
    ? Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== null))
    : entry;

async function* writeAll(
  db: Db,
  sections: readonly FleetSection[],
  filter: ExportFilter,
): AsyncGenerator<string> {
  let sectionBreak = '{';
  for (const section of sections) {
    let entryBreak = `${sectionBreak}\n"${section.name}": [\n`;
    let found = false;
    for await (const entry of selectEntries(db, section, filter)) {
      found = true;
      yield `${entryBreak}${JSON.stringify(withoutNulls(entry))}`;
      entryBreak = ',\n';
    }
    if (!found) continue;
    yield '\n]';
    sectionBreak = ',';
  }
  yield sectionBreak === '{' ? '{}\n' : '\n}\n';
}

/** A consistent export: every page is read from the same snapshot, however slow the reader is. */
export async function exportDocument(
  db: Db,
  sections: readonly FleetSection[],
  filter: ExportFilter,
  write: (text: string) => Promise<void>,
): Promise<void> {
  await db.tx(
    async (tx) => {
      await tx.exec(sql`set local idle_in_transaction_session_timeout = 0`);
      for await (const text of writeAll(tx, sections, filter)) await write(text);
    },
    { isolation: 'repeatable read', readOnly: true },
  );
}
