import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cruise, type ICruiseOptions, type ICruiseResult } from 'dependency-cruiser';

interface Configuration {
  forbidden: { name: string }[];
  options: ICruiseOptions;
}

const { forbidden, options } = createRequire(import.meta.url)('../.dependency-cruiser.cjs') as Configuration;

/** For every rule an import that breaks it and nothing else: importing file, imported file. */
const planted: Record<string, [string, string]> = {
  'no-circular': ['src/reports/a.ts', 'src/reports/b.ts'],
  'enter-through-index': ['src/generators/host.ts', 'src/reports/report.ts'],
  'reports-owns-the-language': ['src/reports/report.controller.ts', 'src/generators/index.ts'],
  'satellites-know-reports-only': ['src/caching/reusable-reports.ts', 'src/farm-records/index.ts'],
  'limits-know-nobody': ['src/limits/rate-limits.ts', 'src/auth/index.ts'],
  'waiting-follows-the-log': ['src/waiting/open-streams.ts', 'src/generators/index.ts'],
  'deprecation-asks-reports': ['src/deprecation/comparing.ts', 'src/generators/index.ts'],
  'log-knows-no-domain': ['src/event-store/event-store.ts', 'src/reports/index.ts'],
  'audit-knows-no-domain': ['src/audit/audit.ts', 'src/reports/index.ts'],
  'erasure-knows-the-log-only': ['src/erasure/erasure.ts', 'src/reports/index.ts'],
  'records-know-no-reports': ['src/farm-records/farms.ts', 'src/reports/index.ts'],
  'edges-are-used-by-nobody': ['src/reports/report.view.ts', 'src/webhooks/index.ts'],
  'edges-know-reports-only': ['src/webhooks/fan-out.ts', 'src/generators/index.ts'],
  'report-types-are-islands': [
    'src/generators/livestock-sale/sale.ts',
    'src/generators/livestock-purchase/purchase.ts',
  ],
  'kit-is-for-strangers': ['src/generators/host.ts', 'src/kit/index.ts'],
  'kit-carries-no-service': ['src/kit/index.ts', 'src/reports/index.ts'],
  'pure-cores': ['src/reports/report.ts', 'src/database/database.ts'],
  'nobody-imports-the-description': ['src/operations/http.ts', 'src/description/index.ts'],
  'client-stands-alone': ['src/client/muster.ts', 'src/reports/index.ts'],
  'nobody-imports-the-top': ['src/reports/report.view.ts', 'src/main.ts'],
};

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster-boundaries-'));
  await symlink(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
});

afterAll(() => rm(folder, { recursive: true, force: true }));

async function broken(files: Record<string, string>): Promise<string[]> {
  await rm(join(folder, 'src'), { recursive: true, force: true });
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  const { tsConfig: _, ...rest } = options;
  const { output } = await cruise(['src'], {
    ...rest,
    baseDir: folder,
    validate: true,
    ruleSet: { forbidden } as never,
  });
  return (output as ICruiseResult).summary.violations.map(({ rule }) => rule.name);
}

function importing(from: string, to: string): string {
  const up = '../'.repeat(from.split('/').length - 2);
  return `import { thing } from '${up === '' ? './' : up}${to.replace('src/', '').replace(/\.ts$/, '.js')}';\nexport const other = thing;\n`;
}

describe('module boundaries', () => {
  it('have a planted violation for every rule', () => {
    expect(Object.keys(planted).sort()).toEqual(forbidden.map(({ name }) => name).sort());
  });

  it.each(Object.entries(planted))('%s: a forbidden import is noticed', async (rule, [from, to]) => {
    const back = rule === 'no-circular' ? importing(to, from) : 'export const thing = 1;\n';
    expect(await broken({ [from]: importing(from, to), [to]: back })).toContain(rule);
  });

  it('let a module be entered through its index', async () => {
    const from = 'src/generators/host.ts';
    const to = 'src/reports/index.ts';
    expect(await broken({ [from]: importing(from, to), [to]: 'export const thing = 1;\n' })).toEqual([]);
  });

  it('hold in the code as it stands', async () => {
    const { output } = await cruise(['src'], { ...options, validate: true, ruleSet: { forbidden } as never });
    expect((output as ICruiseResult).summary.violations).toEqual([]);
  });
});
