import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, it } from 'node:test';
import { ROLES } from '../../src/platform/config/setting-table.ts';
import { parseSettings } from '../../src/platform/config/settings.ts';
import { generateSecretKey } from '../../src/platform/crypto/secret-box.ts';
import { TRACING_PACKAGES } from '../../src/platform/telemetry/tracing/open-tracing.ts';

// Images and clusters are not available everywhere, so this only reads the files.
// biome-ignore lint/suspicious/noExplicitAny: manifests of many kinds, looked at by path
type Manifest = any;
/** The parser that comes with the library for the OpenAPI document. */
const { parseAllDocuments } = createRequire(createRequire(import.meta.url).resolve('@fastify/swagger'))(
  'yaml',
) as { parseAllDocuments(text: string): { errors: unknown[]; toJS(): Manifest }[] };

const FOLDER = 'deploy/kubernetes';
const files = readdirSync(FOLDER).filter((file) => file.endsWith('.yaml'));
const manifests: Manifest[] = files.flatMap((file) =>
  parseAllDocuments(readFileSync(`${FOLDER}/${file}`, 'utf8')).map((document) => {
    assert.deepEqual(document.errors, [], file);
    return document.toJS();
  }),
);
const ofKind = (kind: string) => manifests.filter((manifest) => manifest.kind === kind);
const deployments = ofKind('Deployment');
const [cron] = ofKind('CronJob');
const pods: Manifest[] = [
  ...deployments.map(({ spec }) => spec.template.spec),
  cron.spec.jobTemplate.spec.template.spec,
];
const { version, devDependencies, scripts } = JSON.parse(readFileSync('package.json', 'utf8'));

const SECRETS = {
  DATABASE_URL: 'postgresql://user:password@postgres:5432/linekeeper',
  LINEKEEPER_SECRET_KEY: generateSecretKey(),
  LINEKEEPER_OPERATOR_KEY: 'an-operator-key-of-some-length',
};

describe('Kubernetes manifests', () => {
  it('are all applied except the examples, and name the version of this package', () => {
    const [kustomization] = ofKind('Kustomization');
    const applied = files.filter((file) => !file.endsWith('.example.yaml') && file !== 'kustomization.yaml');
    assert.deepEqual(kustomization.resources.toSorted(), applied.sort());
    assert.equal(kustomization.images[0].newTag, version);
    for (const { containers } of pods) assert.equal(containers[0].image, `linekeeper:${version}`);
  });

  it('contain settings that production accepts, and take secret ones from the secret', () => {
    const [{ data }] = ofKind('ConfigMap');
    const [secret] = ofKind('Secret');
    assert.deepEqual(Object.keys(secret.stringData).sort(), Object.keys(SECRETS).sort());
    const roles = deployments.map(({ spec }) => {
      const [{ env, envFrom }] = spec.template.spec.containers;
      assert.deepEqual(envFrom, [
        { configMapRef: { name: 'linekeeper' } },
        { secretRef: { name: 'linekeeper' } },
      ]);
      const own = Object.fromEntries(env.map(({ name, value }: Manifest) => [name, value]));
      const settings = parseSettings({ ...data, ...SECRETS, ...own });
      assert.deepEqual([settings.unknown, settings.mode], [[], 'production']);
      return settings.role;
    });
    assert.deepEqual(roles.sort(), ROLES.filter((role) => role !== 'all').sort());
  });

  it('run without privileges, on a read-only file system and within limits', () => {
    for (const { containers, securityContext, automountServiceAccountToken } of pods) {
      assert.ok(securityContext.runAsNonRoot && securityContext.runAsUser > 0);
      assert.equal(automountServiceAccountToken, false);
      const [{ securityContext: own, resources }] = containers;
      assert.deepEqual(own, {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      assert.ok(resources.requests.cpu && resources.requests.memory && resources.limits.memory);
    }
  });

  it('probe paths that the service answers, and wait as long as a stop may take', () => {
    for (const { spec } of deployments) {
      const [{ startupProbe, livenessProbe, readinessProbe, ports }] = spec.template.spec.containers;
      const paths = [startupProbe, livenessProbe, readinessProbe].map(({ httpGet }) => httpGet);
      assert.deepEqual(
        paths.map(({ path, port }) => [path, port]),
        ['/health/live', '/health/live', '/health/ready'].map((path) => [path, ports[0].name]),
      );
      assert.ok(spec.template.spec.terminationGracePeriodSeconds >= 60);
      assert.equal(spec.strategy.rollingUpdate.maxUnavailable, 0);
    }
  });

  it('select the right pods', () => {
    const labels = deployments.map(({ spec }) => spec.template.metadata.labels);
    for (const { spec } of deployments)
      assert.deepEqual(spec.selector.matchLabels, spec.template.metadata.labels);
    assert.deepEqual(
      ofKind('PodDisruptionBudget').map(({ spec }) => spec.selector.matchLabels),
      labels,
    );
    const [service] = ofKind('Service');
    assert.deepEqual(service.spec.selector, labels[0]);
    assert.equal(service.spec.ports[0].targetPort, 'http');
  });
});

describe('the example of a backup', () => {
  const [container] = pods.at(-1).containers;

  it('runs an existing command, and writes to the volume that it claims', () => {
    const [, program, command, file] = /^node (\S+) (\w+) "([^"]+)"$/m.exec(container.command.at(-1))!;
    assert.deepEqual([existsSync(program!), command], [true, 'backup']);
    const [{ name, mountPath }] = container.volumeMounts;
    assert.ok(file!.startsWith(`${mountPath}/`));
    const volume = pods.at(-1).volumes.find((each: Manifest) => each.name === name);
    const [claim] = ofKind('PersistentVolumeClaim');
    assert.equal(volume.persistentVolumeClaim.claimName, claim.metadata.name);
    assert.equal(pods.at(-1).securityContext.fsGroup, pods.at(-1).securityContext.runAsGroup);
  });

  it('gets the database from the secret, and no key', () => {
    const taken = container.env.map(({ name, valueFrom }: Manifest) => [name, valueFrom.secretKeyRef]);
    const [secret] = ofKind('Secret');
    for (const [name, { name: from, key, optional }] of taken) {
      assert.deepEqual([from, key], [secret.metadata.name, name]);
      assert.ok(optional || key in secret.stringData, key);
      assert.match(name, /^DATABASE_/);
    }
    assert.equal(container.envFrom, undefined);
  });

  it('runs one at a time, and no other selector matches its pod', () => {
    assert.equal(cron.spec.concurrencyPolicy, 'Forbid');
    const { labels } = cron.spec.jobTemplate.spec.template.metadata;
    for (const { spec } of deployments) assert.notDeepEqual(labels, spec.selector.matchLabels);
    assert.equal(container.ports, undefined);
  });
});

describe('the Prometheus configuration', () => {
  const read = (file: string): Manifest => {
    const [document] = parseAllDocuments(readFileSync(`deploy/prometheus/${file}`, 'utf8'));
    assert.deepEqual(document!.errors, [], file);
    return document!.toJS();
  };
  const scraped = deployments.map(({ spec }) => spec.template);
  const {
    scrape_configs: [scrape],
  } = read('scrape.yml');

  it('finds every pod once, by its labels and the name of its port', () => {
    const [keep] = scrape.relabel_configs;
    const { spec } = read('podmonitor.yaml');
    const [endpoint] = spec.podMetricsEndpoints;
    for (const { metadata, spec: pod } of scraped) {
      const [{ ports }] = pod.containers;
      assert.equal(keep.regex, `${metadata.labels['app.kubernetes.io/name']};${ports[0].name}`);
      for (const [label, value] of Object.entries(spec.selector.matchLabels))
        assert.equal(metadata.labels[label], value);
      assert.deepEqual([endpoint.port, endpoint.path], [ports[0].name, scrape.metrics_path]);
      // Pods with these annotations could otherwise be scraped twice.
      assert.ok(Object.keys(metadata.annotations ?? {}).every((name) => !name.startsWith('prometheus.io/')));
    }
  });

  it('gives them the job that the alert rules select', () => {
    const rules: Manifest[] = read('alerts.yml').groups.flatMap((group: Manifest) => group.rules);
    const selected = rules.flatMap(({ expr }) => [...expr.matchAll(/\bjob(\W+)"([^"]*)"/g)]);
    assert.deepEqual(
      selected.map(([, operator, job]) => [operator, job]),
      [['=', scrape.job_name]],
    );
    const { jobLabel } = read('podmonitor.yaml').spec;
    for (const { metadata } of scraped) assert.equal(metadata.labels[jobLabel], scrape.job_name);
  });
});

describe('the connections that the manifests need', () => {
  it('have the configured number in the README', () => {
    const [{ data }] = ofKind('ConfigMap');
    const count = deployments.reduce((sum, { spec }) => sum + spec.replicas, 0);
    const each = Number(data.LINEKEEPER_DB_CONNECTIONS) + 2;
    const text = readFileSync('deploy/README.md', 'utf8');
    assert.ok(text.includes(`2 × ${count} × ${each} + 1 = ${2 * count * each + 1}`));
  });
});

describe('the container file', () => {
  const lines = readFileSync('deploy/Containerfile', 'utf8')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n');
  const arguments_ = (word: string) =>
    lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1));

  it('builds in one stage and runs in another, on the Node that the tests run on', () => {
    const [build, final, ...more] = arguments_('FROM');
    assert.deepEqual([build, more], [`${final} AS build`, []]);
    assert.equal(final, `node:${devDependencies.node}-bookworm-slim`);
  });

  it('installs the packages that send traces, which the npm package leaves out', () => {
    const installed = arguments_('RUN').find((line) => line.startsWith('npm install --save-prod'))!;
    assert.deepEqual(installed.match(/@opentelemetry\/\S+/g)!.sort(), TRACING_PACKAGES.toSorted());
  });

  it('runs as a user other than root, has a health check, and gets signals directly', () => {
    assert.match(arguments_('USER').join(), /^[1-9]\d+:[1-9]\d+$/);
    assert.match(arguments_('HEALTHCHECK').join(), /\/health\/live/);
    const [program, ...rest] = JSON.parse(arguments_('ENTRYPOINT')[0]!);
    assert.equal(program, 'node');
    const main = rest.at(-1).replace('dist/', '').replace(/js$/, 'ts');
    assert.ok(existsSync(main), main);
  });

  it('contains settings that production accepts, and no secret', () => {
    const env = Object.fromEntries(
      arguments_('ENV')[0]!
        .split(' ')
        .map((pair) => pair.split('=')),
    );
    assert.deepEqual(parseSettings({ ...env, ...SECRETS }).unknown, []);
    assert.ok(Object.keys(SECRETS).every((name) => !(name in env)));
  });

  it('copies the output of the build', () => {
    const copied = arguments_('COPY')
      .slice(1)
      .flatMap((line) => line.match(/\/build\/\S+/g) ?? []);
    for (const path of copied.map((each) => each.slice('/build/'.length)))
      assert.ok(path === 'dist' || existsSync(path), path);
    assert.ok(copied.includes('/build/dist'));
  });
});

describe('the ways to start the service', () => {
  const flags = scripts.start.match(/--\S+/g).join(' ');

  it('give Node the flags of npm start in every document that shows the program', () => {
    for (const file of ['README.md', 'docs/operating.md']) {
      const shown = [...readFileSync(file, 'utf8').matchAll(/\bnode ((?:--\S+ )*)src\/main\.ts/g)];
      assert.deepEqual([file, shown.map(([, given]) => given!.trim())], [file, [flags]]);
    }
  });

  it('give Node the flags of npm start in the image', () => {
    const [, entry] = /^ENTRYPOINT (.+)$/m.exec(readFileSync('deploy/Containerfile', 'utf8'))!;
    assert.deepEqual(JSON.parse(entry!), ['node', ...flags.split(' '), 'dist/src/main.js']);
  });

  for (const words of [[], ['start']])
    it(`give Node the flags of npm start, and the process to the service: linekeeper ${words}`, () => {
      // Loaded before any program, it reports the service's process and ends it. A service that it misses has a wrong port.
      const tell = `if (process.argv[1]?.endsWith('main.ts')) {
        process.stdout.write(JSON.stringify([process.pid, process.execArgv.join(' ')]));
        process.exit();
      }`;
      const { pid, stdout, stderr } = spawnSync(process.execPath, ['bin/linekeeper.js', ...words], {
        encoding: 'utf8',
        env: {
          LINEKEEPER_PORT: 'none',
          NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(tell)}`,
        },
      });
      assert.equal(stdout, JSON.stringify([pid, flags]), stderr);
    });
});
