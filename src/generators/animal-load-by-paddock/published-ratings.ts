import type { Farm } from '../../farm-records/reader.js';

/** A published table of animal units, by species and age class. */
export interface PublishedTable {
  readonly name: string;
  readonly ratings: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Of every other age class of a species. */
  readonly anyClass: Readonly<Record<string, string>>;
}

/**
 * Livestock unit coefficients of Eurostat, as in Regulation (EC) No 1166/2008, Annex I. `heifer` and `cow` are taken as
 * 2 years and over and not dairy; sheep and goats count alike at any age.
 */
const EUROSTAT_LSU: PublishedTable = {
  name: 'Eurostat livestock unit coefficients, Regulation (EC) No 1166/2008',
  ratings: {
    cattle: {
      calf: '0.4',
      weaner: '0.4',
      yearling: '0.7',
      heifer: '0.8',
      cow: '0.8',
      dairy_cow: '1',
      steer: '1',
      bull: '1',
    },
    pig: { piglet: '0.027', sow: '0.5' },
    poultry: { broiler: '0.007', laying_hen: '0.014' },
  },
  anyClass: { sheep: '0.1', goat: '0.1', horse: '0.8', pig: '0.3', poultry: '0.03', emu: '0.03' },
};

/**
 * Annual adult-equivalent ratings of Meat & Livestock Australia for properties of moderate productivity (steers gain 110 to
 * 150 kg a year). A cow's rating includes her calf until weaning, so a calf counts nothing. `heifer` and `steer` are taken as
 * 1 to 2 years, `cow` as 4 years and over.
 */
const MLA_MODERATE_AE: PublishedTable = {
  name: 'MLA annual AE ratings, moderate productivity',
  ratings: {
    cattle: {
      calf: '0',
      weaner_heifer: '0.68',
      heifer: '0.91',
      cow: '1.29',
      weaner_steer: '0.72',
      steer: '1.03',
      bull: '1.73',
    },
  },
  anyClass: { horse: '1.2' },
};

export const PUBLISHED_TABLES: readonly PublishedTable[] = [EUROSTAT_LSU, MLA_MODERATE_AE];

/** The table in words. */
export function describeTable({ name, ratings, anyClass }: PublishedTable): string {
  const classes = Object.entries(ratings).map(
    ([species, own]) =>
      `${species}: ${listed(own)}${anyClass[species] ? `, other ${anyClass[species]}` : ''}`,
  );
  const others = Object.entries(anyClass).filter(([species]) => !(species in ratings));
  return `${name}, in units a head. ${[...classes, ...(others.length > 0 ? [`any class of ${listed(Object.fromEntries(others))}`] : [])].join('; ')}.`;
}

function listed(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([what, value]) => `${what} ${value}`)
    .join(', ');
}

/** The table built in for a unit. DSE and AU have none: they depend on the farm, which must give them. */
export function publishedTable(unit: Farm['animalUnit']): PublishedTable | undefined {
  return { lsu: EUROSTAT_LSU, ae: MLA_MODERATE_AE, dse: undefined, au: undefined }[unit];
}

/** Units per head, exact; undefined when the table does not have the stock. */
export function publishedRating(
  table: PublishedTable,
  species: string,
  ageClass: string,
): string | undefined {
  const key = species.toLowerCase();
  return table.ratings[key]?.[ageClass.toLowerCase()] ?? table.anyClass[key];
}
