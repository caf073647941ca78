import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { declarationOf, type GeneratorClass, type ReportTypeDeclaration } from './report-generator.js';

/** A report type as it was found: what it says of itself and where its class is. */
export interface CatalogueEntry {
  readonly declaration: ReportTypeDeclaration;
  readonly folder: string;
  readonly generator: GeneratorClass;
  /** For a thread that loads the class by itself. */
  readonly source: GeneratorSource;
}

export interface GeneratorSource {
  readonly moduleUrl: string;
  readonly exportName: string;
}

/** The report types do not fit together. Names every fault; the process must not start. */
export class CatalogueRefused extends Error {
  constructor(readonly faults: readonly string[]) {
    super(`The report types do not fit together: ${faults.join('; ')}`);
  }
}

const COLUMN_TYPES = ['text', 'integer', 'decimal', 'date', 'time'];
/** What formats say of every row beside its columns. */
const RESERVED = ['row', 'row_type'];
const GENERATOR_FILE = /\.generator\.(js|ts)$/;

/** Every report type there is, by identifier. */
export class Catalogue {
  private readonly byType: ReadonlyMap<string, CatalogueEntry>;

  /** Throws CatalogueRefused. */
  constructor(entries: readonly CatalogueEntry[]) {
    const faults = [
      ...duplicates(entries),
      ...entries.flatMap(({ declaration, folder }) => faultsOf(declaration, folder, entries)),
    ];
    if (faults.length > 0) throw new CatalogueRefused(faults);
    const sorted = entries.toSorted((a, b) => (a.declaration.type < b.declaration.type ? -1 : 1));
    this.byType = new Map(sorted.map((entry) => [entry.declaration.type, entry]));
  }

  /** Finds `<root>/<stem>/<anything>.generator.js`. Throws CatalogueRefused. */
  static async load(root: string): Promise<Catalogue> {
    const folders = (await readdir(root, { withFileTypes: true })).filter((entry) => entry.isDirectory());
    const found = await Promise.all(folders.map((folder) => entriesIn(root, folder.name)));
    return new Catalogue(found.flat());
  }

  get entries(): readonly CatalogueEntry[] {
    return [...this.byType.values()];
  }

  find(type: string): CatalogueEntry | undefined {
    return this.byType.get(type);
  }
}

async function entriesIn(root: string, folder: string): Promise<CatalogueEntry[]> {
  const files = (await readdir(join(root, folder))).filter((file) => GENERATOR_FILE.test(file)).toSorted();
  const found = await Promise.all(
    files.map((file) => entriesOf(pathToFileURL(join(root, folder, file)).href, folder)),
  );
  return found.flat();
}

async function entriesOf(moduleUrl: string, folder: string): Promise<CatalogueEntry[]> {
  const exported = Object.entries((await import(moduleUrl)) as Record<string, unknown>);
  return exported.flatMap(([exportName, value]) => {
    const declaration = declarationOf(value);
    return declaration
      ? [{ declaration, folder, generator: value as GeneratorClass, source: { moduleUrl, exportName } }]
      : [];
  });
}

function duplicates(entries: readonly CatalogueEntry[]): string[] {
  const claims = Map.groupBy(entries, (entry) => entry.declaration.type);
  return [...claims]
    .filter(([, claimed]) => claimed.length > 1)
    .map(([type, claimed]) => `${type} is claimed ${claimed.length} times`);
}

function faultsOf(
  declaration: ReportTypeDeclaration,
  folder: string,
  entries: readonly CatalogueEntry[],
): string[] {
  const { type, replacedBy } = declaration;
  const faults: string[] = [];
  if (!new RegExp(`^${RegExp.escape(folder)}\\.v[1-9][0-9]*$`).test(type)) {
    faults.push(`${type} lies in the folder ${folder}, whose types are called ${folder}.v<number>`);
  }
  for (const member of ['title', 'description', 'version'] as const) {
    if (!declaration[member]) faults.push(`${type} has no ${member}`);
  }
  if (replacedBy !== undefined) {
    const successor = entries.find((entry) => entry.declaration.type === replacedBy);
    if (!successor) faults.push(`${type} is replaced by ${replacedBy}, which does not exist`);
    else if (successor.declaration.replacedBy)
      faults.push(`${type} is replaced by ${replacedBy}, which is deprecated itself`);
  }
  return [...faults, ...columnFaults(declaration)];
}

function columnFaults({ type, columns }: ReportTypeDeclaration): string[] {
  // A class in JavaScript may declare none.
  if (!(columns as ReportTypeDeclaration['columns'] | undefined)?.length) return [`${type} has no columns`];
  const names = columns.map((column) => column.name);
  const repeated = new Set(
    names.filter((name, index) => RESERVED.includes(name) || names.indexOf(name) !== index),
  );
  return [
    ...[...repeated].map((name) => `${type} names the column ${name} twice or takes a reserved name`),
    ...columns.flatMap((column) => {
      const faults: string[] = [];
      if (!/^[a-z][a-z0-9_]*$/.test(column.name)) faults.push(`${type} has a column called "${column.name}"`);
      if (!COLUMN_TYPES.includes(column.type)) faults.push(`${type} gives the column ${column.name} no type`);
      if (!column.unit) faults.push(`${type} gives the column ${column.name} no unit`);
      return faults;
    }),
  ];
}
