import { isBuiltin } from 'node:module';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Catalogue, REPORT_TYPE } from '../generators/catalogue.js';

const OURS = fileURLToPath(new URL('../../', import.meta.url));
const GENERATORS = fileURLToPath(new URL('../generators', import.meta.url));

/** The report type cannot be written as it was asked for; the message says why. */
export class ReportTypeRefused extends Error {}

export interface WrittenReportType {
  readonly type: string;
  /** The package, an absolute path. */
  readonly folder: string;
  /** Relative to it. */
  readonly files: readonly string[];
}

/**
 * Writes a package with a report type that works, its test and its page into a new folder, called like the type without its
 * version. Throws ReportTypeRefused for a name that is none or taken, and where the folder is there already.
 */
export async function newReportType(type: string, directory: string): Promise<WrittenReportType> {
  if (!REPORT_TYPE.test(type))
    throw new ReportTypeRefused(
      `${JSON.stringify(type)} is no name of a report type: small letters, digits and hyphens, then .v and a number, up to 100 characters, as in wool-clip.v1`,
    );
  if ((await Catalogue.load(GENERATORS)).find(type))
    throw new ReportTypeRefused(`${type} is one of the service's own report types`);
  const stem = type.replace(/\.v\d+$/, '');
  const ours = JSON.parse(await readFile(join(OURS, 'package.json'), 'utf8')) as Package;
  if (isBuiltin(stem) || Object.hasOwn(packageOf(stem, type, ours).devDependencies, stem))
    throw new ReportTypeRefused(
      `a package called ${stem} would stand in the way of the one that Node or the package itself needs`,
    );
  const folder = resolve(directory, stem);
  await claim(folder);
  const files = filesOf(type, stem, ours);
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), text, { flag: 'wx' });
  }
  return { type, folder, files: Object.keys(files) };
}

async function claim(folder: string): Promise<void> {
  await mkdir(dirname(folder), { recursive: true });
  await mkdir(folder).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new ReportTypeRefused(`${folder} is there already; nothing was written`);
  });
}

interface Package {
  readonly version: string;
  readonly optionalDependencies: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

function filesOf(type: string, stem: string, ours: Package): Record<string, string> {
  const words = stem.replaceAll('-', ' ');
  const title = `${words[0]?.toUpperCase()}${words.slice(1)}`;
  const name = classOf(stem);
  return {
    'package.json': `${JSON.stringify(packageOf(stem, type, ours), null, 2)}\n`,
    'tsconfig.json': TSCONFIG,
    'README.md': page(type, stem, title),
    [`src/${stem}.generator.ts`]: generator(type, name, title),
    [`src/${stem}.test.ts`]: test(stem, name, title),
  };
}

/** What the files import. */
const TAKEN = ['Conformance', 'GenerationInput', 'Generator', 'ReportGenerator', 'Row', 'TestFarms'];

/** A class that hides nothing its file needs, be it imported or of the language. */
function classOf(stem: string): string {
  const name = stem.replace(/(^|-)([a-z0-9])/g, (_, _hyphen, letter: string) => letter.toUpperCase());
  return TAKEN.includes(name) || name === 'AsyncIterable' || name in globalThis ? `${name}Report` : name;
}

/** A checkout is linked to, so that all works without a registry of its own; an installed Muster is named by its version. */
function packageOf(stem: string, type: string, ours: Package) {
  const installed = /[\\/]node_modules[\\/]/.test(OURS);
  const node = Object.entries(ours.optionalDependencies).filter(([name]) => name.startsWith('node-'));
  return {
    name: stem,
    version: '1.0.0',
    description: `The report type ${type} for Muster`,
    type: 'module',
    exports: `./dist/${stem}.generator.js`,
    files: ['dist', '!dist/*.test.*'],
    scripts: { build: 'tsc', test: 'tsc && node --test "dist/*.test.js"' },
    peerDependencies: { muster: `^${ours.version}` },
    // Whoever serves it has a Muster; npm need not look for one.
    peerDependenciesMeta: { muster: { optional: true } },
    devDependencies: {
      '@types/node': ours.devDependencies?.['@types/node'] ?? '*',
      muster: installed ? `^${ours.version}` : `file:${OURS.replace(/[\\/]$/, '')}`,
      typescript: ours.devDependencies?.typescript ?? '*',
    },
    optionalDependencies: Object.fromEntries(node),
    engines: { node: '>=26' },
  };
}

const TSCONFIG = `{
  "compilerOptions": {
    "target": "ES2024",
    "lib": ["ES2024", "ESNext"],
    "module": "NodeNext",
    "types": ["node"],
    "strict": true,
    "noUncheckedIndexedAccess": true,
    "rootDir": "src",
    "outDir": "dist",
    "declaration": true
  },
  "include": ["src"]
}
`;

function generator(type: string, name: string, title: string): string {
  return `import { type GenerationInput, type Generator, ReportGenerator, type Row } from 'muster/kit';

@ReportGenerator({
  type: '${type}',
  title: '${title}',
  description: 'Head of every mob at the end of the period.',
  version: '1.0',
  columns: [
    { name: 'mob', type: 'text', unit: 'none', description: 'Mob' },
    { name: 'head', type: 'integer', unit: 'head', description: 'Head at the end of the last day', controlTotal: true },
  ],
})
export class ${name} implements Generator {
  async *rows({ records, period }: GenerationInput): AsyncIterable<readonly Row[]> {
    const dayAfter = records.calendar.plusDays(period.end, 1);
    const balances = await records.balances(dayAfter, ['mob']);
    if (balances.length === 0) return;
    yield balances.map(({ mob, head }) => ({ rowType: 'detail', cells: [records.names.mob(mob), head] }));
    const total = balances.reduce((sum, { head }) => sum + head, 0);
    yield [{ rowType: 'total', cells: [null, total] }];
  }
}
`;
}

function test(stem: string, name: string, title: string): string {
  return `import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { Conformance, TestFarms } from 'muster/kit/testing';
import { ${name} } from './${stem}.generator.js';

const farms = await TestFarms.open();
const conformance = new Conformance(farms);
const promises = await conformance.tests(new URL('./${stem}.generator.js', import.meta.url));
after(() => conformance.close());

describe('${title}', () => {
  it('shows the head of every mob at the end of the period', async () => {
    const farm = await farms.farm([
      { resourceType: 'Mob', id: 'm1', name: 'River mob', species: 'Sheep' },
      {
        resourceType: 'OpeningStock',
        date: '2024-07-01',
        lines: [
          { species: 'Sheep', ageClass: 'ewe', mobId: 'm1', head: 120 },
          { species: 'Sheep', ageClass: 'wether', mobId: 'm2', head: 80 },
        ],
      },
    ]);
    const { rows, controlTotals } = await farm.report(${name}, '2024-07-01', '2025-06-30');
    assert.deepEqual(rows, [
      { row_type: 'detail', mob: 'River mob', head: 120 },
      { row_type: 'detail', mob: 'm2', head: 80 },
      { row_type: 'total', head: 200 },
    ]);
    assert.deepEqual(controlTotals, { head: '200' });
  });
});

describe('What every report type promises', () => {
  for (const { name, run } of promises) it(name, run);
});
`;
}

function page(type: string, stem: string, title: string): string {
  return `# ${title}: \`${type}\`

Head of every mob at the end of the period.

| column | type    | unit | rule                                                  |
| ------ | ------- | ---- | ----------------------------------------------------- |
| mob    | text    |      | the mob's name, or its id when it has none            |
| head   | integer | head | head at the end of the last day; the total sums them  |

## Working on it

\`\`\`sh
npm install
npm test
\`\`\`

builds \`dist/\`, tells a farm in a few lines and holds the report against it, and runs the suite that every report type must
pass. What a report type may read and promise: \`docs/report-types.md\` of Muster.

## Serving it

\`\`\`sh
MUSTER_REPORT_MODULES=$PWD/dist/${stem}.generator.js npm start --prefix ../muster
\`\`\`

tries it out. To deploy it, \`npm pack\` it, \`npm install --omit=optional\` the pack in the folder that Muster is started in, and name the
package: \`MUSTER_REPORT_MODULES=${stem}\`.
`;
}
