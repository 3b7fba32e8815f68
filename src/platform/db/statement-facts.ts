import { createHash } from 'node:crypto';
import type { Query } from './sql.ts';

/** Facts about a statement, derived from its text alone. */
interface StatementFacts {
  /** Prepared under a name derived from the text, so that the server plans it once per connection. */
  readonly name: string | undefined;
  /** Neither writes nor locks nor changes its connection. Derived from the text, and false in case of doubt. */
  readonly onlyReads: boolean;
  /** Only reads, and returns rows as it reads them, so that others can wait behind it. */
  readonly plainRead: boolean;
  /** Index of the value that is the profile, or the list of profiles, of its rows. */
  readonly tenantAt: number | undefined;
  /** The names in places where a table can stand. */
  readonly tables: readonly string[];
}

/** Quoted names are kept, because they may name functions that write. */
const QUOTED_OR_COMMENT =
  /("(?:[^"]|"")*")|\be'(?:[^'\\]|\\[\s\S]|'')*'|'(?:[^']|'')*'|\$([a-z_]\w*)?\$[\s\S]*?\$\2\$|--[^\n]*|\/\*[\s\S]*?\*\//gi;
const READS = /^[\s(]*(select|with)\b/i;
const WRITES = new RegExp(
  [
    String.raw`\b(into|update|delete\s+from|for\s+(key\s+)?share)\b`,
    String.raw`\b(nextval|setval|set_config|pg_notify|pg_(try_)?advisory\w*)\b`,
  ].join('|'),
  'i',
);

const TENANT =
  /\becpd_id\s*=\s*(?:any\s*\(\s*)?\$(\d+)|\binto\s+\w+(?:\s+as\s+\w+)?\s*\(\s*ecpd_id\b[^()]*\)\s*values\s*\(\s*\$(\d+)/i;
const TABLE =
  /\b(?:into|update(?!\s+(?:set|of|skip|nowait)\b))\s+([a-z_]\w*)|\b(?:from|join)\s+([a-z_]\w*)\b(?!\s*[.(])/gi;

function classify(text: string): Omit<StatementFacts, 'name'> {
  const code = text.replace(QUOTED_OR_COMMENT, (_, name: string | undefined) => name ?? ' ');
  const [, verb] = READS.exec(code) ?? [];
  const onlyReads = verb !== undefined && !WRITES.test(code);
  const [, compared, inserted] = TENANT.exec(code) ?? [];
  const tenant = compared ?? inserted;
  return {
    onlyReads,
    plainRead: onlyReads && verb?.toLowerCase() === 'select',
    tenantAt: tenant === undefined ? undefined : Number(tenant) - 1,
    tables: Array.from(code.matchAll(TABLE), ([, written, read]) => (written ?? read)!),
  };
}

const nameOf = (text: string): string =>
  `lk_${createHash('sha256').update(text).digest('base64url').slice(0, 20)}`;

const [prepared, planned] = [new Map<string, StatementFacts>(), new Map<string, StatementFacts>()];
const KNOWN_MAX = 2_000;

export function statementFacts({
  text,
  unprepared = false,
}: Pick<Query, 'text' | 'unprepared'>): StatementFacts {
  const known = unprepared ? planned : prepared;
  const found = known.get(text);
  if (found !== undefined) return found;
  // Composed statements could have unlimited texts; those beyond the limit are not prepared.
  const isOneMore = known.size < KNOWN_MAX;
  const facts = { name: isOneMore && !unprepared ? nameOf(text) : undefined, ...classify(text) };
  if (isOneMore) known.set(text, facts);
  return facts;
}
