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
/** The one line of a record of lines. */
const LINE: Places = {
  species: ['/lines/0/species'],
  age_class: ['/lines/0/ageClass'],
  enterprise: ['/lines/0/enterpriseId'],
  mob: ['/lines/0/mobId'],
  head: ['/lines/0/head'],
};
const TAG: Places = { tag: ['/animal/id'], tag_scheme: ['/animal/scheme'] };
const TAGGED: Places = {
  ...TAG,
  species: ['/animalDetail/specie'],
  sex: ['/animalDetail/gender'],
  breed: ['/animalDetail/primaryBreed/id'],
};
const ANIMALS: Places = { tag: ['/animals/0/id'], tag_scheme: ['/animals/0/scheme'] };
const FEE = ['/ext/trade/fees/-/amount'];
const JOURNEY: Places = {
  counterparty: ['/ext/trade/counterparty'],
  counterparty_pic: ['/ext/trade/counterpartyPic'],
  reference: ['/ext/trade/reference'],
  nvd: ['/ext/trade/nvd'],
};
const TRADE: Places = {
  ...JOURNEY,
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
  agent: ['/ext/trade/agent'],
  sale_type: ['/ext/trade/saleType'],
};
/** Of a date with a time the row says the instant. */
const WHEN: Places = { date: ['/date'], time: [] };
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

const CLASSES: Places = {
  to_age_class: ['/to/ageClass'],
  to_enterprise: ['/to/enterpriseId'],
  reason: ['/cause'],
};

const INVENTORY = { '/groupMethod': 'InventoryClassification' };

/** A movement of head by number or of one animal; the two resources of the standard have names alike. */
function movement(what: string, says: Form['says'], places: Places): { byHead: () => Form; byTag: Form } {
  return {
    byHead: () => ({
      resourceType: `icarGroupMovement${what}EventResource`,
      says: { ...INVENTORY, ...says },
      places: { ...WHEN, ...COUNTED, ...CLAIM, ...places },
    }),
    byTag: {
      resourceType: `icarMovement${what}EventResource`,
      says,
      places: { ...WHEN, ...TAGGED, ...CLAIM, ...places },
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
  paddock: {
    meaning:
      'A paddock and its areas, from `date` on or always. Where they change, another row with the day of the change.',
    required: ['paddock'],
    oneOf: [],
    byHead: () => ({
      resourceType: 'Paddock',
      says: {},
      places: {
        date: ['/validFrom'],
        paddock: ['/id'],
        name: ['/name'],
        land_use: ['/landUse'],
        area: ['/totalArea'],
        grazable_area: ['/grazableArea'],
      },
    }),
  },
  opening: {
    meaning: 'Stock on hand when the records begin, by number, as at the start of the day.',
    required: ['date', 'species', 'head'],
    oneOf: [],
    byHead: () => ({
      resourceType: 'OpeningStock',
      says: {},
      places: { date: ['/date'], ...LINE, paddock: ['/lines/0/paddockId'], value: ['/lines/0/value'] },
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
      places: { ...WHEN, mob: ['/mobId'], head: ['/head'], to_paddock: ['/toPaddockId'] },
    }),
    byTag: {
      resourceType: 'PaddockMove',
      says: {},
      places: {
        ...WHEN,
        ...ANIMALS,
        to_paddock: ['/toPaddockId'],
      },
    },
  },
  arrival: {
    meaning:
      'Stock that come without being bought: from another property of yours, from agistment, from a show.',
    required: ['date', 'species'],
    oneOf: [WHO],
    ...movement('Arrival', { '/arrivalReason': 'InternalTransfer' }, JOURNEY),
  },
  departure: {
    meaning: 'Stock that go without being sold: to another property of yours, to agistment, to a show.',
    required: ['date'],
    oneOf: [WHO_OR_MOB],
    ...movement('Departure', { '/departureKind': 'InternalTransfer' }, JOURNEY),
  },
  transfer: {
    meaning:
      'Some head of a mob, or one animal, go to another mob. They stay in their paddock unless `to_paddock` says another.',
    required: ['date', 'to_mob'],
    oneOf: [
      ['mob', 'tag'],
      ['head', 'tag'],
    ],
    byHead: () => ({
      resourceType: 'MobTransfer',
      says: {},
      places: {
        ...WHEN,
        mob: ['/from/mobId'],
        to_mob: ['/to/0/mobId'],
        head: ['/to/0/head'],
        species: ['/to/0/species'],
        age_class: ['/to/0/ageClass'],
        enterprise: ['/to/0/enterpriseId'],
        to_paddock: ['/to/0/paddockId'],
      },
    }),
    byTag: {
      resourceType: 'icarAnimalSetJoinEventResource',
      says: {},
      places: { ...WHEN, ...TAG, to_mob: ['/animalSetId'] },
    },
  },
  reclassification: {
    meaning: 'Some head of a mob, or one animal, become another age class or go to another enterprise.',
    required: ['date'],
    oneOf: [
      ['to_age_class', 'to_enterprise'],
      ['mob', 'tag'],
      ['head', 'tag'],
    ],
    byHead: () => ({
      resourceType: 'Reclassification',
      says: {},
      places: {
        ...WHEN,
        ...CLASSES,
        species: ['/species'],
        age_class: ['/from/ageClass'],
        enterprise: ['/from/enterpriseId'],
        mob: ['/mobId'],
        head: ['/head'],
      },
    }),
    byTag: { resourceType: 'Reclassification', says: {}, places: { ...WHEN, ...CLASSES, ...ANIMALS } },
  },
  count: {
    meaning: 'Stock that were counted, for all of the mob, class and enterprise that the row names.',
    required: ['date', 'species', 'head'],
    oneOf: [],
    byHead: () => ({
      resourceType: 'StockCount',
      says: {},
      places: { ...WHEN, ...LINE, book: ['/bookAdjustment'] },
    }),
  },
  treatment: {
    meaning: 'A treatment of a mob, of some head, or of one animal.',
    required: ['date'],
    oneOf: [['product', 'medicine'], WHO_OR_MOB],
    byHead: () => ({
      resourceType: 'icarGroupTreatmentEventResource',
      says: INVENTORY,
      places: {
        ...WHEN,
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
        ...WHEN,
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
        ...WHEN,
        ...COUNTED,
        ...CLAIM,
        ...feeding(cells.get('quantity_basis') === 'per_head' ? 'feedPerAnimal' : 'feedTotal'),
        quantity_basis: [],
      },
    }),
    byTag: {
      resourceType: 'icarFeedIntakeEventResource',
      says: {},
      places: { ...WHEN, ...TAG, ...CLAIM, ...feeding('consumedFeed') },
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
