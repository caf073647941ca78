import { type Check, CHECKS } from './checks.js';
import { ConformanceGround } from './conformance-ground.js';
import { TestFarms } from './test-farms.js';
import type { Described } from './trial-tasks.js';

/** A promise that a report type breaks. */
export interface Finding {
  readonly type: string;
  /** Name of the check, such as `has totals that equal its rows`. */
  readonly check: string;
  readonly detail: string;
}

/** The report type does not keep what every report type promises; the message says where. */
export class NotConforming extends Error {
  constructor(readonly findings: readonly Finding[]) {
    const [first] = findings;
    const details = findings.map(({ detail }) => `\n- ${detail}`);
    super(`${first?.type} breaks the promise that it ${first?.check}:${details.join('')}`);
  }
}

export interface ConformanceTest {
  /** A sentence, such as `wool-clip.v1 has totals that equal its rows`. */
  readonly name: string;
  /** Throws NotConforming, or what went wrong before anything could be found. */
  run(): Promise<void>;
}

/**
 * The suite that every report type must pass, the service's own included (docs/report-types.md lists the checks). It knows no test
 * runner: `findings` answers everything at once, `tests` gives named functions that throw, for `test` of node:test or `it` of jest.
 * It tries types out in threads and processes of its own, so it takes built modules by their URL, not classes.
 */
export class Conformance {
  private readonly ground: ConformanceGround;

  constructor(private readonly farms: TestFarms) {
    this.ground = new ConformanceGround(farms);
  }

  /** On the embedded PostgreSQL, or in the migrated database that `databaseUrl` names. Close it after the tests. */
  static async open(databaseUrl?: string): Promise<Conformance> {
    return new Conformance(await TestFarms.open(databaseUrl));
  }

  /** What the report types of a module promise and do not keep; nothing when all is well. */
  async findings(module: string | URL): Promise<Finding[]> {
    const found: Finding[] = [];
    for (const described of await this.typesOf(module))
      for (const check of CHECKS) found.push(...(await this.findingsOf(described, check)));
    return found;
  }

  /** A test for every check of every report type of a module. */
  async tests(module: string | URL): Promise<ConformanceTest[]> {
    return (await this.typesOf(module)).flatMap((described) =>
      CHECKS.map((check) => ({
        name: `${described.declaration.type} ${check.name}`,
        run: async () => {
          const findings = await this.findingsOf(described, check);
          if (findings.length > 0) throw new NotConforming(findings);
        },
      })),
    );
  }

  async close(): Promise<void> {
    await this.ground.close();
    await this.farms.close();
  }

  private async typesOf(module: string | URL): Promise<readonly Described[]> {
    const types = await this.ground.describe(new URL(module).href);
    if (types.length === 0) throw new Error(`${String(module)} exports no report type`);
    return types;
  }

  /** A report type that throws breaks the promise that was being looked at. */
  private async findingsOf(described: Described, check: Check): Promise<Finding[]> {
    const { type } = described.declaration;
    const details = await check
      .find(described, this.ground)
      .catch((error: unknown) => [`it failed: ${(error as Error).message}`]);
    return details.map((detail) => ({ type, check: check.name, detail }));
  }
}
