import { expect, it } from '@jest/globals';
import { Catalogue, type CatalogueEntry, CatalogueRefused } from './catalogue.js';
import {
  type Column,
  type Generator,
  ReportGenerator,
  type ReportTypeDeclaration,
  type Row,
} from './generator.js';
import { declarationOf, type GeneratorClass } from './report-generator.js';

const head: Column = { name: 'head', type: 'integer', unit: 'head', description: 'animals' };
const woolClip: ReportTypeDeclaration = {
  type: 'wool-clip.v2',
  title: 'Wool clip',
  description: 'What was shorn',
  version: '1',
  columns: [head],
};

class Empty implements Generator {
  async *rows(): AsyncIterable<readonly Row[]> {}
}

function entry(declaration: Partial<ReportTypeDeclaration>, folder = 'wool-clip'): CatalogueEntry {
  return {
    declaration: { ...woolClip, ...declaration },
    folder,
    generator: Empty,
    source: { moduleUrl: '', exportName: '' },
  };
}

const alias = { type: 'wool-clip.v1', replacedBy: 'wool-clip.v2' };

it('finds a type by its name and lists all in order', () => {
  const catalogue = new Catalogue([entry({}), entry(alias)]);
  expect(catalogue.find('wool-clip.v2')?.declaration).toEqual(woolClip);
  expect(catalogue.find('wool-clip.v3')).toBeUndefined();
  expect(catalogue.entries.map(({ declaration }) => declaration.type)).toEqual([
    'wool-clip.v1',
    'wool-clip.v2',
  ]);
});

it.each<[string, CatalogueEntry[], string]>([
  ['a type claimed twice', [entry({}), entry({})], 'wool-clip.v2 is claimed 2 times'],
  ['an alias to nothing', [entry(alias)], 'wool-clip.v1 is replaced by wool-clip.v2, which does not exist'],
  [
    'an alias to an alias',
    [entry({ replacedBy: 'wool-clip.v1' }), entry(alias)],
    'wool-clip.v2 is replaced by wool-clip.v1, which is deprecated itself',
  ],
  [
    'a type in a folder of another name',
    [entry({}, 'lambing')],
    'wool-clip.v2 lies in the folder lambing, whose types are called lambing.v<number>',
  ],
  ['no columns', [entry({ columns: [] })], 'wool-clip.v2 has no columns'],
  [
    'a column without a unit',
    [entry({ columns: [{ ...head, unit: '' }] })],
    'wool-clip.v2 gives the column head no unit',
  ],
  [
    'a column without a type',
    [entry({ columns: [{ ...head, type: undefined as never }] })],
    'wool-clip.v2 gives the column head no type',
  ],
  [
    'a column named twice',
    [entry({ columns: [head, head] })],
    'wool-clip.v2 names the column head twice or takes a reserved name',
  ],
  [
    'a column called row_type',
    [entry({ columns: [{ ...head, name: 'row_type' }] })],
    'wool-clip.v2 names the column row_type twice or takes a reserved name',
  ],
  ['a name without a version', [entry({ type: 'wool-clip' })], 'wool-clip is not called <stem>.v<number>'],
  [
    'a sunset before the deprecation',
    [entry({}), entry({ ...alias, deprecatedSince: '2026-01-01', sunset: '2025-12-31' })],
    'wool-clip.v1 has its sunset before it is deprecated',
  ],
  [
    'a sunset that is no day',
    [entry({}), entry({ ...alias, sunset: '2026-02-30' })],
    'wool-clip.v1 has a sunset that is not a day YYYY-MM-DD',
  ],
  [
    'a sunset of a type that nothing replaces',
    [entry({ sunset: '2027-01-01' })],
    'wool-clip.v2 is deprecated, but replaced by nothing',
  ],
  ['a type without a title', [entry({ title: '' })], 'wool-clip.v2 has no title'],
])('refuses %s', (_, entries, fault) => {
  expect(() => new Catalogue(entries)).toThrow(CatalogueRefused);
  expect(() => new Catalogue(entries)).toThrow(fault);
});

it('has an alias made by its successor, and a deprecated type of its own by itself', () => {
  class Renamed extends Empty {}
  class Older implements Generator {
    async *rows(): AsyncIterable<readonly Row[]> {}
  }
  const renamed = { ...entry(alias), generator: Renamed };
  const older = { ...entry({ ...alias, type: 'wool-clip.v0' }), generator: Older };
  const catalogue = new Catalogue([entry({}), renamed]);
  expect(catalogue.makerOf(renamed)).toBe('wool-clip.v2');
  expect(catalogue.makerOf(older)).toBe('wool-clip.v0');
  expect(catalogue.makerOf(entry({}))).toBe('wool-clip.v2');
});

it('names every fault at once', () => {
  expect(
    () =>
      new Catalogue([
        entry({ title: '', version: '' }),
        entry({ type: 'wool-clip.v1', replacedBy: 'wool-clip.v9' }),
      ]),
  ).toThrow(/no title.*no version.*wool-clip\.v9, which does not exist/);
});

it('gives a deprecated subclass everything but its name from its parent', () => {
  @ReportGenerator(woolClip)
  class WoolClip extends Empty {}

  @ReportGenerator({ type: 'wool-clip.v1', replacedBy: 'wool-clip.v2', deprecatedSince: '2023-11-14' })
  class WoolClipV1 extends WoolClip {}

  class Undeclared extends WoolClip {}

  expect(declarationOf(WoolClip)).toEqual(woolClip);
  expect(declarationOf(WoolClipV1)).toEqual({
    ...woolClip,
    type: 'wool-clip.v1',
    replacedBy: 'wool-clip.v2',
    deprecatedSince: '2023-11-14',
  });
  expect(declarationOf(Undeclared as GeneratorClass)).toBeUndefined();
});
