import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { validate } from 'dockerfile-utils';
import { Deployment } from 'kubernetes-models/apps/v1';
import { Job } from 'kubernetes-models/batch/v1';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { ConfigMap, Secret, Service, ServiceAccount } from 'kubernetes-models/v1';
import { parse, parseAllDocuments } from 'yaml';
import { Config } from '../../src/config.js';
import { MeteredService } from '../metered-service.js';
import { misfits } from './kubernetes-types.js';

const PROMETHEUS = 'deploy/prometheus';
const METRIC = /\b(?:muster|http_server|nodejs|process)_[a-z0-9_]+/g;

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: Record<string, string>;
  readonly annotations: Record<string, string>;
}

interface RuleTest {
  readonly alert_rule_test: readonly { alertname: string; exp_alerts: readonly unknown[] }[];
}

const rules = (readYaml(`${PROMETHEUS}/alerts.yml`) as { groups: { rules: Rule[] }[] }).groups.flatMap(
  (group) => group.rules,
);
const dashboard = JSON.parse(readFileSync('deploy/grafana/dashboards/muster.json', 'utf8')) as {
  panels: { title: string; targets: { expr: string }[] }[];
};

let metered: MeteredService;
let scraped: string;
let families: Set<string>;

beforeAll(async () => {
  metered = await MeteredService.start();
  scraped = await metered.scrape();
  families = new Set([...scraped.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name));
});

afterAll(() => metered.end());

function readYaml(path: string): unknown {
  return parse(readFileSync(path, 'utf8'));
}

function promtool(...args: string[]): string {
  return execFileSync('promtool', args, { encoding: 'utf8', stdio: 'pipe' });
}

/** The metrics in an expression that no scrape has. */
function unknownMetrics(expression: string): string[] {
  return [...expression.matchAll(METRIC)]
    .map(([name]) => name)
    .filter((name) => !families.has(name) && !families.has(name.replace(/_(bucket|count|sum)$/, '')));
}

describe('the metrics of a service at work', () => {
  it('satisfy promtool', () => {
    expect(execFileSync('promtool', ['check', 'metrics'], { input: scraped, encoding: 'utf8' })).toBe('');
  });

  it('have every one that a panel shows', () => {
    const missing = dashboard.panels.flatMap(({ title, targets }) =>
      targets.flatMap(({ expr }) => unknownMetrics(expr).map((name) => `${title}: ${name}`)),
    );
    expect(missing).toEqual([]);
  });

  it('have every one that an alert looks at', () => {
    expect(
      rules.flatMap(({ alert, expr }) => unknownMetrics(expr).map((name) => `${alert}: ${name}`)),
    ).toEqual([]);
  });

  it('are all on the dashboard, if they are ours', () => {
    const shown = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)).join('\n');
    expect([...families].filter((name) => name.startsWith('muster_') && !shown.includes(name))).toEqual([]);
  });
});

describe('the alerts', () => {
  it('are rules that Prometheus reads', () => {
    expect(promtool('check', 'rules', `${PROMETHEUS}/alerts.yml`)).toContain('SUCCESS');
    expect(promtool('check', 'config', '--syntax-only', `${PROMETHEUS}/prometheus.yml`)).toContain('SUCCESS');
    const inCluster = readFileSync(`${PROMETHEUS}/kubernetes.yml`, 'utf8');
    const checked = join(mkdtempSync(join(tmpdir(), 'muster-deploy-')), 'kubernetes.yml');
    // Debian's promtool is built without Kubernetes.
    writeFileSync(checked, inCluster.replace('kubernetes_sd_configs: [{ role: pod }]', 'static_configs: []'));
    expect(promtool('check', 'config', '--syntax-only', checked)).toContain('SUCCESS');
  });

  it('fire when they shall, and stay silent when they shall', () => {
    expect(promtool('test', 'rules', `${PROMETHEUS}/alerts.test.yml`)).toContain('SUCCESS');
  });

  it('are each seen firing and silent', () => {
    const { tests } = readYaml(`${PROMETHEUS}/alerts.test.yml`) as { tests: RuleTest[] };
    const seen = tests.flatMap((test) => test.alert_rule_test);
    const seenAs = (fires: boolean) =>
      new Set(seen.filter((one) => one.exp_alerts.length > 0 === fires).map((one) => one.alertname));
    const names = new Set(rules.map(({ alert }) => alert));
    expect([seenAs(true), seenAs(false)]).toEqual([names, names]);
  });

  it('have a page each that begins with what callers notice', () => {
    const pages = readdirSync('deploy/runbooks').map((file) => file.replace('.md', ''));
    expect(pages.sort()).toEqual(rules.map(({ alert }) => alert).sort());
    for (const { alert, annotations } of rules) {
      expect(annotations.runbook_url).toBe(`deploy/runbooks/${alert}.md`);
      expect(readFileSync(`deploy/runbooks/${alert}.md`, 'utf8')).toMatch(
        new RegExp(
          `^# ${alert}\\n\\n## What callers notice\\n\\n[^#]{20,}\\n\\n## What it means\\n[^#]+## Where to look\\n[^#]+## What to do\\n`,
        ),
      );
    }
  });
});

it('scrapes by the name and the port that the manifests have, as the job that the alerts look at', () => {
  const { scrape_configs: jobs } = readYaml(`${PROMETHEUS}/kubernetes.yml`) as {
    scrape_configs: { job_name: string; relabel_configs: { regex?: string }[] }[];
  };
  expect(jobs.map(({ job_name: name }) => name)).toEqual(['muster']);
  const [name, port] = jobs[0]!.relabel_configs.map(({ regex }) => regex);
  const deployments = kubernetes().manifests.filter(({ kind }) => kind === 'Deployment');
  for (const { spec } of deployments) {
    expect(spec.template.metadata.labels['app.kubernetes.io/name']).toBe(name);
    expect(spec.template.spec.containers[0].ports.map((one: { name: string }) => one.name)).toContain(port);
  }
});

describe('what is set on Kubernetes and by compose', () => {
  it('are settings that there are', () => {
    const texts = ['docker-compose.yml', 'Dockerfile', ...kubernetes().files].map((file) =>
      readFileSync(file, 'utf8'),
    );
    const known = new Set(Object.keys(new Config()));
    const set = texts.flatMap((text) => [
      ...text.matchAll(
        /\b((?:DATABASE|GENERATION|CLIENT|DRAIN|TRUSTED|PUBLIC|OPERATIONS|LOG)_[A-Z_]+)(?=['"]?[:=, }])/g,
      ),
    ]);
    const names = new Set(set.map(([, name = '']) => name.replace(/_FILE$/, '')));
    names.delete('GENERATION_PASSWORD');
    expect([...names].filter((name) => !known.has(name))).toEqual([]);
    expect(names.size).toBeGreaterThan(5);
  });

  it('is an image whose Dockerfile says nothing wrong', () => {
    const text = readFileSync('Dockerfile', 'utf8');
    expect(validate(text)).toEqual([]);
    const wrong = validate(text.replace('USER 1000:1000', 'USR 1000').replace('ENTRYPOINT', 'CMD'));
    expect(wrong.map(({ message }) => message)).toEqual([
      expect.stringContaining('only be one CMD'),
      expect.stringContaining('USR'),
    ]);
  });

  it('is one deployment that compose understands', async () => {
    const env = {
      ...process.env,
      POSTGRES_PASSWORD: 'a1b2c3d4e5f6g7',
      GENERATION_PASSWORD: 'h1b2c3d4e5f6',
      CLIENT_SECRET_PEPPERS: 'x',
    };
    const { stdout } = await promisify(execFile)('docker-compose', ['config'], { env });
    expect(Object.keys((parse(stdout) as { services: object }).services).sort()).toEqual([
      'api',
      'grafana',
      'migrate',
      'postgres',
      'prometheus',
      'worker',
    ]);
  });
});

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels: Record<string, string> };
  readonly spec?: any;
}

function kubernetes(): { files: string[]; manifests: Manifest[] } {
  const files = readdirSync('deploy/kubernetes').map((file) => `deploy/kubernetes/${file}`);
  const manifests = files.flatMap((file) =>
    parseAllDocuments(readFileSync(file, 'utf8')).map((document) => {
      expect(document.errors).toEqual([]);
      return document.toJS() as Manifest;
    }),
  );
  return { files, manifests };
}

/** What the manifests may be, with the schema of each. */
const KINDS: Readonly<Record<string, new (manifest: any) => { validate(): void }>> = {
  ConfigMap,
  Deployment,
  Job,
  NetworkPolicy,
  PodDisruptionBudget,
  Secret,
  Service,
  ServiceAccount,
};

describe('the Kubernetes manifests', () => {
  const { manifests } = kubernetes();
  const workloads = manifests.filter(({ kind }) => kind === 'Deployment' || kind === 'Job');

  it('are of kinds and versions that there are', () => {
    expect(manifests.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`).sort()).toEqual([
      'apps/v1 Deployment',
      'apps/v1 Deployment',
      'batch/v1 Job',
      'networking.k8s.io/v1 NetworkPolicy',
      'policy/v1 PodDisruptionBudget',
      'policy/v1 PodDisruptionBudget',
      'v1 ConfigMap',
      'v1 Secret',
      'v1 Service',
      'v1 ServiceAccount',
    ]);
  });

  it('satisfy the schemas and the types of Kubernetes', () => {
    for (const manifest of manifests) {
      const Kind = KINDS[manifest.kind];
      if (!Kind) throw new Error(`the schema of ${manifest.kind} is not named`);
      new Kind(manifest).validate();
    }
    expect(misfits(manifests)).toEqual([]);
  });

  it('do not satisfy them with a field misspelt', () => {
    const [workload] = structuredClone(workloads);
    workload!.spec.template.spec.containers[0].redinessProbe = {};
    expect(misfits([workload!])).toEqual([expect.stringContaining('redinessProbe')]);
  });

  it.each(workloads.map((workload) => [workload.metadata.name, workload] as const))(
    '%s runs without rights, within bounds, with its secrets as files',
    (_, { spec }) => {
      const pod = spec.template.spec;
      expect(pod.securityContext).toMatchObject({
        runAsNonRoot: true,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      expect(pod.automountServiceAccountToken).toBe(false);
      for (const container of pod.containers) {
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
        expect(container.resources.limits.memory).toMatch(/^\d+[GM]i$/);
        expect(JSON.stringify(container.env ?? [])).not.toMatch(/postgres:|secretKeyRef/);
        const volumes = pod.volumes.map(({ name }: { name: string }) => name);
        for (const { name } of container.volumeMounts) expect(volumes).toContain(name);
      }
    },
  );

  it.each(
    workloads
      .filter(({ kind }) => kind === 'Deployment')
      .map((workload) => [workload.metadata.name, workload] as const),
  )('%s is probed, found by its own labels, and given the time it needs to stop', (_, { spec }) => {
    const { metadata, spec: pod } = spec.template;
    expect(metadata.labels).toMatchObject(spec.selector.matchLabels);
    const [container] = pod.containers;
    const ports = container.ports.map(({ name }: { name: string }) => name);
    const paths = {
      startupProbe: '/health/ready',
      readinessProbe: '/health/ready',
      livenessProbe: '/health/live',
    };
    for (const [probe, path] of Object.entries(paths)) {
      expect(container[probe].httpGet).toEqual({ path, port: 'operations' });
      expect(ports).toContain('operations');
    }
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(5 + new Config().GENERATION_DRAIN_SECONDS);
    const budget = manifests.find(
      (one) =>
        one.kind === 'PodDisruptionBudget' &&
        one.spec.selector.matchLabels['app.kubernetes.io/component'] ===
          metadata.labels['app.kubernetes.io/component'],
    );
    expect(budget?.spec.minAvailable).toBeLessThan(spec.replicas);
  });
});
