import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, describe, it } from 'node:test';
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
  readonly targets?: readonly { readonly expr: string }[];
}

/** The parser that the OpenAPI document's library brings along. */
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

/** A histogram has three names. */
async function listExported(): Promise<Set<string>> {
  const service = await startServiceProcess(dataDir, { DATABASE_URL: url, LINEKEEPER_MODE: 'sandbox' });
  await fetch(new URL('/health/live', service.url));
  const values = await (await fetch(new URL('/metrics', service.url))).text();
  await service.stop();
  const names = [...values.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name, type]) =>
    type === 'histogram' ? ['count', 'sum', 'bucket'].map((part) => `${name}_${part}`) : [name!],
  );
  return new Set(names);
}
const exported = await listExported();

/** Made by Prometheus itself. */
const NOT_OURS = ['up'];
const METRIC = /\b(?:linekeeper|process|nodejs)_\w+|\bup(?=\{)/g;
const expressions = [
  ...dashboard.panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [title, expr] as const)),
  ...rules.map(({ alert, expr }) => [alert, expr] as const),
];

describe('dashboard and alert rules', () => {
  it('name only metrics that the service exports', () => {
    const unknown = expressions.flatMap(([where, expr]) => {
      const named = expr.match(METRIC) ?? [];
      assert.ok(named.length > 0, `${where} asks for nothing`);
      return named.filter((name) => !exported.has(name) && !NOT_OURS.includes(name));
    });
    assert.deepEqual(unknown, []);
  });

  it('close every bracket, and tell each panel and alert from the others', () => {
    for (const [where, expr] of expressions)
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
