import type { Cells, ColumnName } from './columns.js';

/** Where the cell of a column goes in a record: JSON pointers. `-` adds to a list. */
type Places = Readonly<Partial<Record<ColumnName, readonly string[]>>>;

/** The record that a row becomes. */
export interface Form {
  readonly resourceType: string;
  /** What it always says. */
  readonly says: Readonly<Record<string, string>>;
  readonly places: Places;
}

/** What a row can be about. */
export interface Kind {
  readonly meaning: string;
  readonly required: readonly ColumnName[];
  /** Of each list at least one is required. */
  readonly oneOf: readonly (readonly ColumnName[])[];
  /** For stock by number, and for one animal with a tag. */
  readonly byHead: (cells: Cells) => Form;
  readonly byTag?: Form;
}

/** In every row, whatever it is about. */
export const ENVELOPE: readonly ColumnName[] = ['record', 'id', 'source', 'deleted'];

const CLAIM: Places = {
  enterprise: ['/ext/enterpriseId'],
  age_class: ['/ext/ageClass'],
  mob: ['/ext/mobId'],
  paddock: ['/ext/paddockId'],
};
const COUNTED: Places = {
  head: ['/inventoryClassification/count'],
  species: ['/inventoryClassification/species'],
  sex: ['/inventoryClassification/sex'],
  breed: ['/inventoryClassification/primaryBreed/id'],
};
const TAG: Places = { tag: ['/animal/id'], tag_scheme: ['/animal/scheme'] };
const TAGGED: Places = {
  ...TAG,
  species: ['/animalDetail/specie'],
  sex: ['/animalDetail/gender'],
  breed: ['/animalDetail/primaryBreed/id'],
};
const FEE = ['/ext/trade/fees/-/amount'];
const TRADE: Places = {
  price: ['/ext/trade/price/amount'],
  price_basis: ['/ext/trade/price/basis'],
  currency: ['/ext/trade/price/currency'],
  weight: ['/ext/trade/weight/value'],
  weight_type: ['/ext/trade/weight/type'],
  commission: FEE,
  freight: FEE,
  insurance: FEE,
  yardage: FEE,
  levy: FEE,
  other_fees: FEE,
  tax: ['/ext/trade/tax'],
  counterparty: ['/ext/trade/counterparty'],
  counterparty_pic: ['/ext/trade/counterpartyPic'],
  agent: ['/ext/trade/agent'],
  reference: ['/ext/trade/reference'],
  nvd: ['/ext/trade/nvd'],
  sale_type: ['/ext/trade/saleType'],
};
const DAY: Places = { date: ['/date'] };
const CARE: Places = {
  product: ['/medicine/name'],
  medicine: ['/medicine/identifier/id'],
  batch: ['/batches/0/identifier'],
  batch_expiry: ['/batches/0/expiryDate'],
  whp_days: ['/ext/whpDays'],
  esi_days: ['/ext/esiDays'],
  course: ['/ext/courseId'],
  procedure: ['/procedure'],
  reason: ['/ext/reason'],
  route: ['/site'],
  operator: ['/responsible'],
  note: ['/comment'],
  unit_cost: ['/ext/unitCost/amount'],
  currency: ['/ext/unitCost/currency'],
};

const INVENTORY = { '/groupMethod': 'InventoryClassification' };

/** A movement of head by number or of one animal; the two resources of the standard have names alike. */
function movement(what: string, says: Form['says'], places: Places): { byHead: () => Form; byTag: Form } {
  return {
    byHead: () => ({
      resourceType: `icarGroupMovement${what}EventResource`,
      says: { ...INVENTORY, ...says },
      places: { ...DAY, ...COUNTED, ...CLAIM, ...places },
    }),
    byTag: {
      resourceType: `icarMovement${what}EventResource`,
      says,
      places: { ...DAY, ...TAGGED, ...CLAIM, ...places },
    },
  };
}

function feeding(list: 'feedTotal' | 'feedPerAnimal' | 'consumedFeed'): Places {
  return {
    feed: [`/${list}/0/feedId/id`],
    quantity: [`/${list}/0/feedConsumption/value`],
    unit: [`/${list}/0/feedConsumption/unitCode`, '/ext/unitCost/unit'],
    unit_cost: ['/ext/unitCost/amount'],
    currency: ['/ext/unitCost/currency'],
    batch: ['/ext/batch'],
  };
}

const WHO: readonly ColumnName[] = ['head', 'tag'];
const WHO_OR_MOB: readonly ColumnName[] = ['mob', 'head', 'tag'];

export const KINDS: Readonly<Record<string, Kind>> = {
  opening: {
    meaning: 'Stock on hand when the records begin, by number, as at the start of the day.',
    required: ['date', 'species', 'head'],
    oneOf: [],
    byHead: () => ({
      resourceType: 'OpeningStock',
      says: {},
      places: {
        ...DAY,
        species: ['/lines/0/species'],
        age_class: ['/lines/0/ageClass'],
        enterprise: ['/lines/0/enterpriseId'],
        mob: ['/lines/0/mobId'],
        paddock: ['/lines/0/paddockId'],
        head: ['/lines/0/head'],
        value: ['/lines/0/value'],
      },
    }),
  },
  birth: {
    meaning: 'Births.',
    required: ['date', 'species'],
    oneOf: [WHO],
    ...movement('Birth', { '/registrationReason': 'Born' }, {}),
  },
  purchase: {
    meaning: 'Stock bought. Rows of one consignment share `reference`, `date` and `counterparty`.',
    required: ['date', 'species'],
    oneOf: [WHO],
    ...movement('Arrival', { '/arrivalReason': 'Purchase' }, TRADE),
  },
  sale: {
    meaning: 'Stock sold. With a mob and no `head`, the whole mob.',
    required: ['date'],
    oneOf: [WHO_OR_MOB],
    ...movement('Departure', { '/departureKind': 'Sale' }, TRADE),
  },
  death: {
    meaning: 'Deaths, stock that went missing, and stock eaten on the farm.',
    required: ['date'],
    oneOf: [WHO_OR_MOB],
    ...movement('Death', {}, { loss: ['/deathReason'] }),
  },
  move: {
    meaning: 'A move to another paddock: of a mob, of some head of it, or of one animal.',
    required: ['date', 'to_paddock'],
    oneOf: [['mob', 'tag']],
    byHead: () => ({
      resourceType: 'PaddockMove',
      says: {},
      places: { ...DAY, mob: ['/mobId'], head: ['/head'], to_paddock: ['/toPaddockId'] },
    }),
    byTag: {
      resourceType: 'PaddockMove',
      says: {},
      places: {
        ...DAY,
        tag: ['/animals/0/id'],
        tag_scheme: ['/animals/0/scheme'],
        to_paddock: ['/toPaddockId'],
      },
    },
  },
  treatment: {
    meaning: 'A treatment of a mob, of some head, or of one animal.',
    required: ['date'],
    oneOf: [['product', 'medicine'], WHO_OR_MOB],
    byHead: () => ({
      resourceType: 'icarGroupTreatmentEventResource',
      says: INVENTORY,
      places: {
        ...DAY,
        ...COUNTED,
        ...CLAIM,
        ...CARE,
        dose: ['/dosePerAnimal/doseQuantity'],
        dose_unit: ['/dosePerAnimal/doseUnits'],
      },
    }),
    byTag: {
      resourceType: 'icarTreatmentEventResource',
      says: {},
      places: {
        ...DAY,
        ...TAG,
        ...CLAIM,
        ...CARE,
        dose: ['/dose/doseQuantity'],
        dose_unit: ['/dose/doseUnits'],
      },
    },
  },
  feeding: {
    meaning: 'Feed given to a mob, to some head, or to one animal.',
    required: ['date', 'feed', 'quantity', 'unit'],
    oneOf: [WHO_OR_MOB],
    byHead: (cells) => ({
      resourceType: 'icarGroupFeedingEventResource',
      says: INVENTORY,
      places: {
        ...DAY,
        ...COUNTED,
        ...CLAIM,
        ...feeding(cells.get('quantity_basis') === 'per_head' ? 'feedPerAnimal' : 'feedTotal'),
        quantity_basis: [],
      },
    }),
    byTag: {
      resourceType: 'icarFeedIntakeEventResource',
      says: {},
      places: { ...DAY, ...TAG, ...CLAIM, ...feeding('consumedFeed') },
    },
  },
};

/** The columns that rows of a kind may fill, without those of every row. */
export function columnsOfKind({ byHead, byTag }: Kind): Set<ColumnName> {
  const none: Cells = new Map();
  return new Set(
    [byHead(none), ...(byTag ? [byTag] : [])].flatMap(({ places }) => Object.keys(places) as ColumnName[]),
  );
}
