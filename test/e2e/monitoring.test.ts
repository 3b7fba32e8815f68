import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { ROLES } from '../../src/platform/config/setting-table.ts';
import { freeUdpPort } from '../network/support/addresses.ts';
import { createTestDatabase } from '../support/database.ts';
import { makeDataDir, removeDataDir, startServiceProcess } from '../support/service-process.ts';

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly description: string };
}
interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
}

/** The parser that comes with the library for the OpenAPI document. */
const { parse } = createRequire(createRequire(import.meta.url).resolve('@fastify/swagger'))('yaml') as {
  parse(text: string): { groups: { name: string; rules: Rule[] }[] };
};
const dashboard: { panels: Panel[] } = JSON.parse(readFileSync('deploy/grafana/linekeeper.json', 'utf8'));
const rules = parse(readFileSync('deploy/prometheus/alerts.yml', 'utf8')).groups.flatMap(
  (group) => group.rules,
);

const dataDir = makeDataDir();
const { url, drop } = await createTestDatabase();
after(async () => {
  removeDataDir(dataDir);
  await drop();
});

/** The values by metric and label. */
type Exported = ReadonlyMap<string, Map<string, Set<string>>>;

/** Feeds that send nothing. */
async function writeNetwork(): Promise<string> {
  const file = join(dataDir, 'network.json');
  mkdirSync(join(dataDir, 'spool'));
  writeFileSync(join(dataDir, 'mapping.json'), JSON.stringify({ format: 'ndjson' }));
  const radius = {
    listen: `127.0.0.1:${await freeUdpPort('127.0.0.1')}`,
    clients: [{ address: '127.0.0.1', secret: 'testing123' }],
  };
  const files = [{ folder: 'spool', mapping: 'mapping.json' }];
  writeFileSync(file, JSON.stringify({ feeds: { radius, files } }));
  return file;
}

/** A server used as a replica that is none: its metrics exist, and show that nothing is proven. */
async function readExported(): Promise<Exported> {
  const service = await startServiceProcess(dataDir, {
    DATABASE_URL: url,
    DATABASE_REPLICA_URL: url,
    LINEKEEPER_MODE: 'sandbox',
    LINEKEEPER_NETWORK: await writeNetwork(),
  });
  await fetch(new URL('/api/openapi.json', service.url));
  const text = await (await fetch(new URL('/metrics', service.url))).text();
  await service.stop();
  const exported = new Map<string, Map<string, Set<string>>>();
  for (const [, metric, labels = ''] of text.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)) {
    const known = exported.get(metric!) ?? new Map<string, Set<string>>();
    exported.set(metric!, known);
    for (const [, label, value] of labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g))
      known.set(label!, (known.get(label!) ?? new Set()).add(value!));
  }
  // A process has only one of them.
  for (const role of ROLES) exported.get('linekeeper_role')?.get('role')?.add(role);
  return exported;
}
const exported = await readExported();

/** Created by Prometheus itself. */
const NOT_OURS = ['up'];
const OF_THE_TARGET = ['job', 'instance'];
/** Their values depend on the callers. */
const ANY_VALUE = ['route', 'status', 'le'];
const METRIC = /\b(?:linekeeper|process|nodejs)_\w+|\bup(?=\{)/g;
const expressions = [
  ...dashboard.panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr, legendFormat }) => ({ where: title, expr, told: legendFormat })),
  ),
  ...rules.map(({ alert, expr, annotations }) => ({ where: alert, expr, told: annotations.description })),
];

/** A histogram has three names. */
const familyOf = (metric: string) => metric.replace(/_(bucket|sum|count)$/, '');
const metricsOf = (expr: string) => expr.match(METRIC) ?? [];
const labelsOf = (metric: string) => [...(exported.get(metric)?.keys() ?? []), ...OF_THE_TARGET];
const listed = (expr: string, words: string) =>
  [...expr.matchAll(new RegExp(`\\b(?:${words}) \\(([^)]*)\\)`, 'g'))].flatMap(([, list]) =>
    list!.split(', '),
  );

/** Labels that remain for a legend or a message. */
function keptLabels(expr: string): string[] {
  if (/\b(sum|min|max|count|avg|absent)\b/.test(expr)) return listed(expr, 'by');
  const joined = listed(expr, 'on');
  return joined.length > 0 ? joined : metricsOf(expr).flatMap(labelsOf);
}

/** Labels and values in selectors that no process exports. */
function unmet(expr: string): string[] {
  const selectors = [...expr.matchAll(/(\w+)\{([^}]*)\}/g)];
  return selectors.flatMap(([, metric, matchers]) =>
    [...matchers!.matchAll(/(\w+)(=~|!~|!=|=)"([^"]*)"/g)].flatMap(([matcher, label, operator, value]) => {
      if (OF_THE_TARGET.includes(label!)) return [];
      const values = exported.get(metric!)?.get(label!);
      if (values === undefined) return [`${metric}{${matcher}}`];
      if (ANY_VALUE.includes(label!)) return [];
      const wanted = operator!.endsWith('~')
        ? value!.split('|').map((each) => new RegExp(`^${each}$`))
        : [value!];
      return wanted
        .filter(
          (each) => !values.values().some((one) => (each instanceof RegExp ? each.test(one) : each === one)),
        )
        .map((each) => `${metric}{${label}: ${each}}`);
    }),
  );
}

describe('dashboard and alert rules', () => {
  it('name only metrics that the service exports', () => {
    const unknown = expressions.flatMap(({ where, expr }) => {
      const named = metricsOf(expr);
      assert.ok(named.length > 0, `${where} asks for nothing`);
      return named.filter((name) => !exported.has(name) && !NOT_OURS.includes(name));
    });
    assert.deepEqual(unknown, []);
  });

  it('select by existing labels and possible values', () =>
    assert.deepEqual(
      expressions.flatMap(({ expr }) => unmet(expr)),
      [],
    ));

  it('group by and mention only existing labels', () => {
    for (const { where, expr, told } of expressions) {
      const known = metricsOf(expr).flatMap(labelsOf);
      for (const label of listed(expr, 'by|on')) assert.ok(known.includes(label), `${where} by ${label}`);
      const kept = keptLabels(expr);
      for (const [, label] of told.matchAll(/\{\{\s*(?:\$labels\.)?(\w+)\s*\}\}/g))
        assert.ok(kept.includes(label!), `${where} tells of ${label}`);
    }
  });

  it('use every metric of the service', () => {
    const asked = new Set(expressions.flatMap(({ expr }) => metricsOf(expr)).map(familyOf));
    const own = exported.keys().filter((name) => name.startsWith('linekeeper_'));
    assert.deepEqual(
      [...new Set(own.map(familyOf))].filter((name) => !asked.has(name)),
      [],
    );
  });

  it('have balanced brackets, and unique names for panels and alerts', () => {
    for (const { where, expr } of expressions)
      for (const [open, close] of ['()', '{}', '[]'])
        assert.equal(expr.split(open!).length, expr.split(close!).length, `${where}: ${expr}`);
    assert.equal(new Set(dashboard.panels.map(({ id }) => id)).size, dashboard.panels.length);
    assert.equal(new Set(rules.map(({ alert }) => alert)).size, rules.length);
    for (const { alert, labels, annotations, for: wait } of rules) {
      assert.match(labels.severity, /^(critical|warning)$/, alert);
      assert.match(wait, /^\d+m$/, alert);
      assert.ok(annotations.summary && annotations.description, alert);
    }
  });
});
