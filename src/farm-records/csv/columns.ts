/** A column of a spreadsheet of records. */
export interface Column {
  readonly type: 'text' | 'day' | 'moment' | 'time' | 'head' | 'decimal' | 'flag';
  /** The words that a cell may hold, and what they are called in records. */
  readonly words?: Readonly<Record<string, string>>;
  readonly unit: string;
  readonly meaning: string;
  readonly example: string;
  /** It says something about one of these columns, and nothing without them. */
  readonly of?: readonly string[];
}

const text = (meaning: string, example: string, more: Partial<Column> = {}): Column => ({
  type: 'text',
  unit: '',
  meaning,
  example,
  ...more,
});
const decimal = (unit: string, meaning: string, example: string, more: Partial<Column> = {}): Column => ({
  type: 'decimal',
  unit,
  meaning,
  example,
  ...more,
});
const day = (meaning: string, example: string, more: Partial<Column> = {}): Column => ({
  type: 'day',
  unit: 'YYYY-MM-DD',
  meaning,
  example,
  ...more,
});
const fee = (meaning: string) => decimal('currency', `${meaning}, for the whole row`, '45.00');

/** Every column there is, in the order of the tables in docs/import-csv.md. A row leaves blank what it does not need. */
export const COLUMNS = {
  record: text('what the row is about', 'sale'),
  id: text('your own number for the row, never used for another; made from its content when blank', 'S-104'),
  source: text('the system that the ids are from; `csv` when blank', 'farm-book'),
  deleted: {
    type: 'flag',
    unit: 'yes or no',
    meaning: 'yes removes the row that was imported under this id',
    example: 'no',
    of: ['id'],
  },
  date: day('the day it happened, on the farm', '2024-09-14', { type: 'moment' }),
  time: {
    type: 'time',
    unit: 'HH:MM',
    meaning: 'the time of day on the farm’s clocks, where that matters',
    example: '14:30',
    of: ['date'],
  },
  species: text('`Cattle`, `Sheep`, `Goat`, …', 'Sheep'),
  age_class: text('any words you use', 'ewe'),
  to_age_class: text('the class they go to', 'hogget'),
  head: { type: 'head', unit: 'head', meaning: 'how many, for stock counted in mobs', example: '120' },
  tag: text('the id on the tag, for one animal a row', '982 000123456789'),
  tag_scheme: text('whose number the tag is; `tag` when blank', 'au.nlis', { of: ['tag'] }),
  sex: text('`Female`, `Male`, …', 'Female'),
  breed: text('code or name of the breed', 'Merino'),
  enterprise: text('id of the enterprise', 'wool'),
  to_enterprise: text('id of the enterprise they go to', 'meat'),
  mob: text('id of the mob', 'm1'),
  to_mob: text('id of the mob they go to', 'm2'),
  paddock: text('id of the paddock they are in, or come into', 'p3'),
  name: text('what people call it', 'Hill paddock'),
  land_use: text('`Grazing`, `Cropping` or any words you use', 'Grazing'),
  area: decimal('area unit of the farm', 'fenced area', '41.5'),
  grazable_area: decimal('area unit of the farm', 'the part of it that can be grazed', '40'),
  to_paddock: text('id of the paddock they go to', 'p4'),
  value: decimal('currency', 'what they are worth together', '9600.00'),
  book: {
    type: 'flag',
    unit: 'yes or no',
    meaning: 'yes takes the difference to the book into the books, as an adjustment',
    example: 'no',
  },
  loss: text('`death` (when blank), `missing` or `ration` (eaten on the farm)', 'missing', {
    words: { death: 'Other', missing: 'Missing', ration: 'Consumption' },
  }),
  price: decimal('currency', 'price, for what `price_basis` says', '2.55'),
  price_basis: text('`per_head` (when blank), `per_kg` or `total`', 'per_kg', {
    words: { per_head: 'perHead', per_kg: 'perKg', total: 'total' },
    of: ['price'],
  }),
  currency: text('currency of the amounts (ISO 4217); the farm’s when blank', 'AUD', {
    of: ['price', 'unit_cost'],
  }),
  weight: decimal('kg', 'weight per head', '48.5'),
  weight_type: text('`live` (when blank) or `carcass`', 'carcass', {
    words: { live: 'live', carcass: 'carcass' },
    of: ['weight'],
  }),
  commission: fee('the agent’s commission'),
  freight: fee('freight'),
  insurance: fee('insurance'),
  yardage: fee('yard dues'),
  levy: fee('levies'),
  other_fees: fee('whatever else was charged'),
  tax: decimal('currency', 'tax, shown apart from the fees', '90.00'),
  counterparty: text('who sold, or bought', 'J. Smith'),
  counterparty_pic: text('property identification code of the other end', 'NA123456'),
  agent: text('the agent', 'Elders'),
  reference: text('number of the invoice or consignment; rows that share it are one consignment', 'INV-77'),
  nvd: text('number of the vendor declaration', 'LX1234567'),
  sale_type: text('`saleyard`, `over-the-hooks`, …', 'saleyard'),
  product: text('name of the product', 'Cydectin'),
  medicine: text('id of a medicine that was imported, whose withholding days then hold', 'cydectin'),
  dose: decimal('dose_unit', 'dose per head', '5'),
  dose_unit: text('unit of the dose', 'ml', { of: ['dose'] }),
  batch: text('batch number', 'B1234'),
  batch_expiry: day('the batch’s last day', '2025-12-31', { of: ['batch'] }),
  whp_days: decimal('days', 'withholding period', '14'),
  esi_days: decimal('days', 'export slaughter interval', '28'),
  course: text('the same words on every row of one course of treatment', 'spring-drench'),
  procedure: text('what was done', 'drenched'),
  reason: text('why', 'worms'),
  route: text('how, or where on the animal', 'oral'),
  operator: text('who did it', 'Pat'),
  note: text('anything else', 'second dose in 3 weeks'),
  feed: text('id of the feed', 'hay'),
  quantity: decimal(
    'unit',
    'how much, for all of them together unless `quantity_basis` says otherwise',
    '350',
  ),
  unit: text('`kg`, `t`, `g`, `mg`, `lb`, `oz`, `bale` or `bag`', 'kg'),
  quantity_basis: text('`total` (when blank) or `per_head`', 'per_head', {
    words: { total: 'total', per_head: 'perHead' },
    of: ['quantity'],
  }),
  unit_cost: decimal('currency', 'cost of one unit', '0.32'),
} as const satisfies Record<string, Column>;

export type ColumnName = keyof typeof COLUMNS;
/** The cells of a row that are not blank. */
export type Cells = ReadonlyMap<ColumnName, string>;

export function columnOf(name: ColumnName): Column {
  return COLUMNS[name];
}

export function isColumn(name: string): name is ColumnName {
  return Object.hasOwn(COLUMNS, name);
}
