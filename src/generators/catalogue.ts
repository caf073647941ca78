import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isDay } from '../farm-records/reader.js';
import { findReportModule } from './report-modules.js';
import { declarationOf, type GeneratorClass, type ReportTypeDeclaration } from './report-generator.js';

/** A report type as it was found: what it says of itself and where its class is. */
export interface CatalogueEntry {
  readonly declaration: ReportTypeDeclaration;
  /** The folder under generators whose name its types carry; undefined for a type of a module from outside. */
  readonly folder?: string;
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

/** How a report type is called: words of small letters and digits, and its version, in up to 100 characters. */
export const REPORT_TYPE = /^(?=.{4,100}$)[a-z][a-z0-9]*(-[a-z0-9]+)*\.v[1-9][0-9]{0,3}$/;
const COLUMN_TYPES = ['text', 'integer', 'decimal', 'date', 'time'];
/** What formats say of every row beside its columns. */
const RESERVED = ['row', 'row_type'];
const LOADS_WITHIN_MS = 10_000;
const GENERATOR_FILE = /\.generator\.(js|ts)$/;

/** Every report type there is, by identifier. */
export class Catalogue {
  private readonly byType: ReadonlyMap<string, CatalogueEntry>;

  /** `faultsBefore` are those of finding the entries. Throws CatalogueRefused. */
  constructor(entries: readonly CatalogueEntry[], faultsBefore: readonly string[] = []) {
    const faults = [
      ...faultsBefore,
      ...duplicates(entries),
      ...entries.flatMap(({ declaration, folder }) => faultsOf(declaration, folder, entries)),
    ];
    if (faults.length > 0) throw new CatalogueRefused(faults);
    const sorted = entries.toSorted((a, b) => (a.declaration.type < b.declaration.type ? -1 : 1));
    this.byType = new Map(sorted.map((entry) => [entry.declaration.type, entry]));
  }

  /** Finds `<root>/<stem>/<anything>.generator.js`, and the types of modules from outside. Throws CatalogueRefused. */
  static async load(root: string, modules: readonly string[] = []): Promise<Catalogue> {
    const folders = (await readdir(root, { withFileTypes: true })).filter((entry) => entry.isDirectory());
    const found = await Promise.all(folders.map((folder) => entriesIn(root, folder.name)));
    const offered = await Promise.all(modules.map(entriesOffered));
    return new Catalogue(
      [...found.flat(), ...offered.flatMap(({ entries }) => entries)],
      offered.flatMap(({ faults }) => faults),
    );
  }

  get entries(): readonly CatalogueEntry[] {
    return [...this.byType.values()];
  }

  find(type: string): CatalogueEntry | undefined {
    return this.byType.get(type);
  }

  /** The type that makes the content: the successor of an alias, which is a subclass of it; else the type itself. */
  makerOf({ declaration: { type, replacedBy }, generator }: CatalogueEntry): string {
    const successor = replacedBy === undefined ? undefined : this.find(replacedBy);
    const isAlias = successor !== undefined && generator.prototype instanceof successor.generator;
    return isAlias ? successor.declaration.type : type;
  }
}

async function entriesIn(root: string, folder: string): Promise<CatalogueEntry[]> {
  const files = (await readdir(join(root, folder))).filter((file) => GENERATOR_FILE.test(file)).toSorted();
  const found = await Promise.all(
    files.map((file) => entriesOf(pathToFileURL(join(root, folder, file)).href)),
  );
  return found.flat().map((entry) => ({ ...entry, folder }));
}

/** What a module of MUSTER_REPORT_MODULES offers; a class exported under two names, as by default too, is offered once. */
async function entriesOffered(specifier: string): Promise<{ entries: CatalogueEntry[]; faults: string[] }> {
  try {
    const found = await withinLimit(entriesOf(findReportModule(specifier)));
    const entries = [...new Map(found.map((entry) => [entry.generator, entry])).values()];
    return {
      entries,
      faults:
        entries.length > 0 ? [] : [`MUSTER_REPORT_MODULES names ${specifier}, which exports no report type`],
    };
  } catch (error) {
    // A stranger's module may throw anything.
    const why = error instanceof Error ? error.message : `it throws ${String(error)}`;
    return {
      entries: [],
      faults: [`MUSTER_REPORT_MODULES names ${specifier}, which cannot be loaded: ${why}`],
    };
  }
}

/** A module that waits for something that never comes would keep the process from starting, and from saying why. */
async function withinLimit<T>(loading: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new Error(`it has not loaded within ${LOADS_WITHIN_MS / 1000} s`)),
    LOADS_WITHIN_MS,
  );
  try {
    return await Promise.race([loading, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The report types that a module exports. */
export async function entriesOf(moduleUrl: string): Promise<CatalogueEntry[]> {
  const exported = Object.entries((await import(moduleUrl)) as Record<string, unknown>);
  return exported.flatMap(([exportName, value]) => {
    const declaration = declarationOf(value);
    return declaration
      ? [{ declaration, generator: value as GeneratorClass, source: { moduleUrl, exportName } }]
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
  folder: string | undefined,
  entries: readonly CatalogueEntry[],
): string[] {
  const { type, replacedBy } = declaration;
  const faults = declarationFaults(declaration);
  if (folder !== undefined && type.replace(/\.v\d+$/, '') !== folder)
    faults.push(`${type} lies in the folder ${folder}, whose types are called ${folder}.v<number>`);
  if (replacedBy === undefined) return faults;
  const successor = entries.find((entry) => entry.declaration.type === replacedBy);
  if (!successor) faults.push(`${type} is replaced by ${replacedBy}, which does not exist`);
  else if (successor.declaration.replacedBy)
    faults.push(`${type} is replaced by ${replacedBy}, which is deprecated itself`);
  return faults;
}

/** What is wrong with a declaration, whatever other types there are. */
export function declarationFaults(declaration: ReportTypeDeclaration): string[] {
  const { type } = declaration;
  return [
    ...(REPORT_TYPE.test(type)
      ? []
      : [`${type} is not called <stem>.v<number> in up to 100 characters, such as wool-clip.v1`]),
    ...(['title', 'description', 'version'] as const).flatMap((member) =>
      declaration[member] ? [] : [`${type} has no ${member}`],
    ),
    ...deprecationFaults(declaration),
    ...columnFaults(declaration),
  ];
}

/** RFC 9745, 4: a sunset does not come before the deprecation. */
function deprecationFaults({ type, replacedBy, deprecatedSince, sunset }: ReportTypeDeclaration): string[] {
  const days = { deprecatedSince, sunset };
  const faults = Object.entries(days).flatMap(([name, day]) =>
    day === undefined || isDay(day) ? [] : [`${type} has a ${name} that is not a day YYYY-MM-DD`],
  );
  if (faults.length > 0) return faults;
  if (replacedBy === undefined)
    return (deprecatedSince ?? sunset) === undefined
      ? []
      : [`${type} is deprecated, but replaced by nothing`];
  if (deprecatedSince !== undefined && sunset !== undefined && sunset < deprecatedSince)
    return [`${type} has its sunset before it is deprecated`];
  return [];
}

function columnFaults({ type, columns }: ReportTypeDeclaration): string[] {
  // A class in JavaScript may declare none.
  const given: unknown = columns;
  if (!Array.isArray(given) || given.length === 0) return [`${type} has no columns`];
  if (given.some((column: unknown) => typeof column !== 'object' || column === null))
    return [`${type} has a column that is no object`];
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
