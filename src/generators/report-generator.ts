import type { Column, Generator } from './generator.js';

interface Deprecation {
  /** Day since when the type is deprecated, YYYY-MM-DD in UTC. */
  readonly deprecatedSince?: string;
  /** Day from which on the type may be gone, YYYY-MM-DD in UTC. Once announced, do not move it to an earlier one. */
  readonly sunset?: string;
}

/** What a report type says of itself. */
export interface ReportTypeDeclaration extends Deprecation {
  /** `<stem>.v<number>`, such as `wool-clip.v1`; inside the service the stem is the name of the generator's folder. */
  readonly type: string;
  readonly title: string;
  readonly description: string;
  /** Of the content: goes up when the same records give other bytes. */
  readonly version: string;
  readonly columns: readonly Column[];
  /** What a reader must know to read the figures right, a sentence or two each; shown on the type's page. */
  readonly rules?: readonly string[];
  /** Published tables and texts that figures stand on. */
  readonly sources?: readonly string[];
  /** The type to ask for instead of this deprecated one. It makes the content of an alias (AliasDeclaration). */
  readonly replacedBy?: string;
}

/** A deprecated name: a subclass of the successor says its name and takes everything else, the content too, from its parent. */
export type AliasDeclaration = Deprecation & { readonly type: string; readonly replacedBy: string };

export type GeneratorClass = new () => Generator;

const declarations = new WeakMap<GeneratorClass, ReportTypeDeclaration>();

/** Declares a class as the generator of a report type; whatever module exports the class offers the type. */
export function ReportGenerator(declaration: ReportTypeDeclaration | AliasDeclaration) {
  return (target: GeneratorClass): void => {
    const parent = declarations.get(Object.getPrototypeOf(target) as GeneratorClass);
    declarations.set(target, { ...parent, ...declaration } as ReportTypeDeclaration);
  };
}

/** The declaration of exactly this class; undefined when it has none of its own. */
export function declarationOf(candidate: unknown): ReportTypeDeclaration | undefined {
  return typeof candidate === 'function' ? declarations.get(candidate as GeneratorClass) : undefined;
}
