/** A query, a part of a `with`, or a branch of a union: where names of tables mean what they mean. */
interface Scope {
  readonly outer: Scope | undefined;
  /** What stands for a name here: a table, or what was made of others. */
  readonly tables: ReadonlyMap<string, string>;
  /** Without the queries inside of it. */
  readonly own: string;
}

/** A table by the name that it has in a query. */
export interface LooseTable {
  readonly table: string;
  readonly alias: string;
  /** The same for tables that are bound to each other. */
  readonly group: string;
  /** In a query that is run for each row of something that was made of others, as of a list of parameters. */
  readonly sideways: boolean;
}

const QUERY = /\b(?:select|insert into|delete from|update)\b/;
const BRANCH = /\s(?:union all|union|except|intersect)\s/y;
const NO_ALIAS =
  /^(?:on|using|shared|where|left|right|inner|cross|join|full|set|order|group|limit|for|returning|values|select|offset|having|natural|default|overriding|do)$/;
const FROM = /(?<!distinct )\bfrom\b(.*?)(?=\bwhere\b|\bgroup by\b|\border by\b|\blimit\b|\breturning\b|$)/g;
const TABLE =
  /(?:(?<!distinct )\bfrom|\bjoin|\busing|(?<!do |for |key )\bupdate) (?:only )?(\w+)(?: (?:as )?(\w+))?/g;
const LISTED = /, ?(\w+)(?: (?:as )?(\w+))?/g;
const TIE = /(?:\b(\w+)\.)?\becpd_id = (?:(\$)|(?:(\w+)\.)?ecpd_id\b)/g;
/** Of rows, which are compared column by column. */
const ROW_TIE = /\((?:(\w+)\.)?ecpd_id, [^()]*\) = \((?:(\$)|(?:(\w+)\.)?ecpd_id\b)/g;
const SHARED = /\busing \([^()]*\becpd_id\b/;
/** Stands for a query that was taken out. */
const INNER = 'inner_query';

function closing(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at++) {
    if (text[at] === '(') depth++;
    else if (text[at] === ')' && --depth === 0) return at;
  }
  return text.length;
}

/** The branches of a union. */
function branches(text: string): string[] {
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '(') at = closing(text, at);
    BRANCH.lastIndex = at;
    const union = BRANCH.exec(text);
    if (union === null) continue;
    parts.push(text.slice(from, at));
    from = at + union[0].length;
  }
  return [...parts, text.slice(from)];
}

/** The text without the queries in it, and these. */
function takeOut(text: string): { own: string; inner: string[] } {
  const inner: string[] = [];
  let own = '';
  for (let at = 0; at < text.length; at++) {
    if (text[at] !== '(') {
      own += text[at];
      continue;
    }
    const end = closing(text, at);
    const within = text.slice(at + 1, end);
    if (QUERY.test(flatten(within))) {
      inner.push(within);
      own += ` ${INNER} `;
    } else {
      const part = takeOut(within);
      inner.push(...part.inner);
      own += `(${part.own})`;
    }
    at = end;
  }
  return { own, inner };
}

/** Without parentheses and what is in them, but for the note that tables share the column. */
function flatten(own: string): string {
  const less = own.replaceAll(/\([^()]*\)/g, ' ');
  return less === own ? own.replaceAll(/\s+/g, ' ') : flatten(less);
}

function tablesOf(own: string): Map<string, string> {
  const flat = flatten(own.replaceAll(/\busing \([^()]*\becpd_id\b[^()]*\)/g, 'shared')).replaceAll(
    /\blateral |\bwith ordinality /g,
    '',
  );
  const listed = [...flat.matchAll(FROM)].flatMap(([, from]) => [...from!.matchAll(LISTED)]);
  return new Map(
    [...flat.matchAll(TABLE), ...listed].map(([, table, alias]) => [
      alias === undefined || NO_ALIAS.test(alias) ? table! : alias,
      table!,
    ]),
  );
}

function readScopes(text: string, outer: Scope | undefined): Scope[] {
  return branches(text).flatMap((branch) => {
    // A branch in parentheses is a query by itself.
    const bare = /^\s*\(/.test(branch) && closing(branch, branch.indexOf('(')) >= branch.trimEnd().length - 1;
    if (bare) return readScopes(branch.trim().slice(1, -1), outer);
    const { own, inner } = takeOut(branch);
    const scope: Scope = { outer, own, tables: tablesOf(own) };
    return [scope, ...inner.flatMap((query) => readScopes(query, scope))];
  });
}

const PARAMETER = '$';
const ties = ({ own }: Scope) => [...own.matchAll(TIE), ...own.matchAll(ROW_TIE)];

/**
 * Which tables of a statement are not bound to a parameter by their `ecpd_id`, directly or by that of another table. What
 * was made of others binds nothing: a distributed database does not look through a limited query. Where rows are put into
 * is not looked at. Locks and changes need more than that: each table bound in its own query, because a statement that
 * goes to one server as it is may do what no other may.
 */
export function looseTables(
  text: string,
  isTable: (name: string) => boolean,
  binding: 'anywhere' | 'in its own query' = 'anywhere',
): LooseTable[] {
  const scopes = readScopes(text.replaceAll(/'[^']*'/g, "''"), undefined);
  const group = new Map<string, string>();
  const find = (node: string): string => {
    const up = group.get(node);
    return up === undefined ? node : find(up);
  };
  const bind = (a: string, b: string) => {
    if (find(a) !== find(b)) group.set(find(a), find(b));
  };
  const nodeIn = (scope: Scope, alias: string) => `${scopes.indexOf(scope)} ${alias}`;
  /** Undefined for what was made of others. A name that is given by whoever splices this in is bound there. */
  const nodeOf = (alias: string, scope: Scope | undefined): string | undefined => {
    if (scope === undefined) return PARAMETER;
    const table = scope.tables.get(alias);
    if (table === undefined)
      return binding === 'in its own query' && scope.outer !== undefined
        ? undefined
        : nodeOf(alias, scope.outer);
    return isTable(table) ? nodeIn(scope, alias) : undefined;
  };
  const tablesIn = (scope: Scope) => [...scope.tables].filter(([, table]) => isTable(table));
  for (const scope of scopes) {
    const own = tablesIn(scope).map(([alias]) => nodeIn(scope, alias));
    const named = (alias: string | undefined) => (alias === undefined ? own : [nodeOf(alias, scope)]);
    for (const [, left, parameter, right] of ties(scope))
      for (const a of named(left))
        for (const b of parameter === undefined ? named(right) : [PARAMETER])
          if (a !== undefined && b !== undefined) bind(a, b);
    if (SHARED.test(scope.own)) for (const node of own) bind(node, own[0]!);
  }
  /** Whether a query takes from around it what was made of others, and none of its tables is bound to one there. */
  const isSideways = (scope: Scope, bound: string): boolean => {
    const around: Scope[] = [];
    for (let { outer } = scope; outer !== undefined; outer = outer.outer) around.push(outer);
    const takes = around.some(({ tables }) =>
      [...tables].some(
        ([alias, table]) =>
          !isTable(table) && !scope.tables.has(alias) && new RegExp(`\\b${alias}\\.`).test(scope.own),
      ),
    );
    const isBound = around.some((outer) =>
      tablesIn(outer).some(([alias]) => find(nodeIn(outer, alias)) === bound),
    );
    return takes && !isBound;
  };
  return scopes.flatMap((scope) =>
    tablesIn(scope).flatMap(([alias, table]) => {
      const bound = find(nodeIn(scope, alias));
      if (bound === find(PARAMETER)) return [];
      return [{ table, alias, group: bound, sideways: isSideways(scope, bound) }];
    }),
  );
}
