import { Named } from '../operations/schema.js';

/** Parts of the document that are made when it is, by name. */
export type LateSchemas = Readonly<Record<string, object>>;

/** Collects the named parts of a document: where one is used a reference stands, and the part itself under `components`. */
export class Components {
  private readonly found = new Map<string, { readonly part: Named; resolved: unknown }>();

  constructor(private readonly late: LateSchemas) {}

  /** A copy of a description in which references stand for its named parts. Throws on two parts of one name. */
  resolve(value: unknown): unknown {
    if (value instanceof Named) return this.reference(value as Named);
    if (Array.isArray(value)) return value.map((one) => this.resolve(one));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, this.resolve(member)]));
  }

  /** What was referred to so far, by kind and name, in alphabetical order. */
  collected(): Record<string, Record<string, unknown>> {
    const parts: Record<string, Record<string, unknown>> = {};
    for (const { part, resolved } of [...this.found.values()].toSorted(byName))
      (parts[part.kind] ??= {})[part.name] = resolved;
    return parts;
  }

  private reference(part: Named): { $ref: string } {
    const $ref = `#/components/${part.kind}/${part.name}`;
    const before = this.found.get($ref);
    if (before && before.part !== part && before.part.value !== part.value) {
      throw new Error(`two parts of the description are called ${part.name}`);
    }
    if (!before) {
      const entry = { part, resolved: undefined as unknown };
      this.found.set($ref, entry); // Before its own parts, which may refer back to it.
      entry.resolved = this.resolve(part.value ?? this.lateValue(part.name));
    }
    return { $ref };
  }

  private lateValue(name: string): object {
    const value = this.late[name];
    if (!value) throw new Error(`nobody makes ${name}, which the description refers to`);
    return value;
  }
}

function byName(one: { part: Named }, other: { part: Named }): number {
  return one.part.name < other.part.name ? -1 : 1;
}
