import type { ClientBase } from 'pg';
import type { FarmCalendar } from './calendar.js';
import { Medicines } from './medicines.js';
import type { Names, PaddockVersion } from './reader.js';
import { readStatement } from './read-record.js';
import {
  type AnimalUnitRating,
  type DeclaredAnimal,
  type Feed,
  parseExactly,
  type When,
} from './resources/index.js';
import type { Declaration, Declared } from './statement.js';

/** What the farm's records declare, read when it is asked for. Where two say different things of the same id, the later `modified` wins. */
export class SnapshotDeclarations {
  constructor(
    private readonly client: ClientBase,
    private readonly calendar: FarmCalendar,
    private readonly of: readonly [bucket: number, farmId: string],
  ) {}

  async names(): Promise<Names> {
    const sets = await this.declared(['icarAnimalSetResource'], 'animal set');
    const mobs = await this.declared(['Mob'], 'mob');
    const enterprises = await this.declared(['Enterprise'], 'enterprise');
    const mobNames = named([...sets.map(({ set }) => set), ...mobs.map((mob) => mob.named)]);
    const enterpriseNames = named(enterprises.map((enterprise) => enterprise.named));
    const paddockNames = named(await this.paddocks());
    return {
      enterprise: (id) => enterpriseNames.get(id) ?? id,
      mob: (id) => mobNames.get(id) ?? id,
      paddock: (id) => paddockNames.get(id) ?? id,
    };
  }

  async paddocks(): Promise<PaddockVersion[]> {
    const versions = (await this.declared(['Paddock'], 'paddock')).map(({ paddock }) => paddock);
    return versions.toSorted(
      (one, other) => compare(one.id, other.id) || this.since(one.validFrom) - this.since(other.validFrom),
    );
  }

  async ratings(): Promise<AnimalUnitRating[]> {
    const ratings = (await this.declared(['AnimalUnitRating'], 'rating')).map(({ rating }) => rating);
    return ratings.toSorted((one, other) => this.since(one.validFrom) - this.since(other.validFrom));
  }

  async feeds(): Promise<ReadonlyMap<string, Feed>> {
    return new Map((await this.declared(['icarFeedResource'], 'feed')).map(({ feed }) => [feed.id, feed]));
  }

  async medicines(): Promise<Medicines> {
    const medicines = new Medicines();
    for (const { medicine } of await this.declared(['icarMedicineResource'], 'medicine'))
      medicines.add(medicine);
    return medicines;
  }

  async animals(keys: readonly string[]): Promise<Map<string, DeclaredAnimal>> {
    if (keys.length === 0) return new Map();
    return new Map(
      (await this.declared(['icarAnimalCoreResource'], 'animal', keys)).map(({ animal }) => [
        animal.key,
        animal,
      ]),
    );
  }

  private async declared<Kind extends Declaration['declares']>(
    resourceTypes: readonly string[],
    kind: Kind,
    ids?: readonly string[],
  ): Promise<Declared<Kind>[]> {
    const { rows } = await this.client.query<[string, string]>({
      rowMode: 'array',
      text: `SELECT resource_type, body::text FROM farm_record
              WHERE bucket = $1 AND farm_id = $2 AND resource_type = ANY($3) AND at IS NULL AND NOT deleted
                AND ($4::text[] IS NULL OR resource_id = ANY($4))
              ORDER BY modified, source, source_id`,
      values: [...this.of, resourceTypes, ids ?? null],
    });
    return rows.flatMap(([resourceType, body]) => {
      const statement = readStatement(resourceType, parseExactly(body));
      return statement && 'declares' in statement && statement.declares === kind
        ? [statement as Declared<Kind>]
        : [];
    });
  }

  private since(when: When | undefined): number {
    if (!when) return -Infinity;
    return 'instant' in when ? when.instant : this.calendar.startOf(when.day);
  }
}

function named(things: readonly { readonly id: string; readonly name?: string }[]): Map<string, string> {
  return new Map(things.flatMap(({ id, name }) => (name === undefined ? [] : [[id, name]])));
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
