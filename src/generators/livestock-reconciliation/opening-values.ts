import {
  type FarmRecords,
  financialYearBegin,
  type Flow,
  type LocalDate,
  naturalIncreaseValue,
} from '../../farm-records/reader.js';
import { Decimal, ZERO } from '../decimals.js';
import { HeadAccount } from './head-account.js';
import { type TradingStock, type Valuation, valueOf } from './valuation.js';

/** Head and value of a species at the start of a day; the value undefined when it is not known. */
export interface StockValue {
  readonly head: number;
  readonly value: Decimal | undefined;
}

const NO_STOCK: StockValue = { head: 0, value: ZERO };

/**
 * What stock is worth by species at the start of a day, its openings not yet in: the closing value of the time before, account
 * by account through the financial years from the farm's first record on. One reading of the ledger for all the years.
 */
export async function valuesBefore(
  records: FarmRecords,
  day: LocalDate,
): Promise<ReadonlyMap<string, StockValue>> {
  const first = await records.firstDay();
  if (first === undefined || first >= day) return new Map();
  const days = accountDays(records, first, day);
  const flows = await records.flowsBetween(
    [...new Set(days.flatMap((start) => [start, nextDay(records, start)]).concat(day))],
    ['species'],
  );
  let values: ReadonlyMap<string, StockValue> = new Map();
  for (const account of accountsOf(records, days, day, flows))
    values = closingValues(records, values, account);
  return values;
}

/** An account's time: the flows of its first day, whose openings are part of its opening, and of the days after. */
export interface AccountFlows {
  readonly firstDay: readonly Flow[];
  readonly after: readonly Flow[];
}

/** A species' trading stock from what it was worth before and what flowed. */
export function tradingStock(
  records: FarmRecords,
  species: string,
  before: StockValue = NO_STOCK,
  flows: AccountFlows,
): TradingStock {
  const openings = flows.firstDay.filter((flow) => flow.species === species && flow.category === 'opening');
  const moved = [...flows.firstDay, ...flows.after].filter(
    (flow) => flow.species === species && !openings.includes(flow),
  );
  const account = new HeadAccount();
  account.opening = before.head + openings.reduce((head, flow) => head + flow.head, 0);
  for (const flow of moved) account.enter(flow.category, flow.head);
  const naturalIncrease = naturalIncreaseValue(records.farm, species);
  return {
    openingHead: account.opening,
    openingValue: openings.reduce<Decimal | undefined>(addOpening, before.head === 0 ? ZERO : before.value),
    births: account.items.births,
    naturalIncrease: naturalIncrease === undefined ? undefined : new Decimal(naturalIncrease),
    purchases: account.items.purchases,
    purchaseValue: valueOfFlows(moved, 'purchase'),
    salesValue: valueOfFlows(moved, 'sale'),
    rations: account.items.rations,
    transfersIn: account.items.transfers_in,
    transfersOut: account.items.transfers_out,
    closingHead: account.closing,
  };
}

/** What stock is worth by species from its valuation. */
function carried(stock: TradingStock, { closingValue }: Valuation): StockValue {
  return { head: stock.closingHead, value: closingValue };
}

function closingValues(
  records: FarmRecords,
  before: ReadonlyMap<string, StockValue>,
  flows: AccountFlows,
): ReadonlyMap<string, StockValue> {
  const species = new Set([
    ...before.keys(),
    ...[...flows.firstDay, ...flows.after].map((flow) => flow.species),
  ]);
  return new Map(
    [...species].map((name) => {
      const stock = tradingStock(records, name, before.get(name), flows);
      return [name, carried(stock, valueOf(stock))];
    }),
  );
}

/** The first day of every account: the first record's, then the beginning of each financial year. */
function accountDays({ farm }: FarmRecords, first: LocalDate, until: LocalDate): LocalDate[] {
  const years = Array.from(
    { length: Number(until.slice(0, 4)) - Number(first.slice(0, 4)) + 1 },
    (_, index) => Number(first.slice(0, 4)) + index,
  );
  const begins = years.map((year) => financialYearBegin(farm, year));
  return [first, ...begins.filter((day) => day > first && day < until)];
}

function accountsOf(
  records: FarmRecords,
  days: readonly LocalDate[],
  until: LocalDate,
  flows: readonly Flow[][],
): AccountFlows[] {
  let at = 0;
  return days.map((start, index) => {
    const isOneDay = nextDay(records, start) === (days[index + 1] ?? until);
    return { firstDay: flows[at++] ?? [], after: isOneDay ? [] : (flows[at++] ?? []) };
  });
}

function nextDay(records: FarmRecords, day: LocalDate): LocalDate {
  return records.calendar.plusDays(day, 1);
}

function addOpening(value: Decimal | undefined, flow: Flow): Decimal | undefined {
  return value && flow.valuedHead === Math.abs(flow.head) ? value.plus(flow.value) : undefined;
}

function valueOfFlows(flows: readonly Flow[], category: Flow['category']): Decimal {
  return flows
    .filter((flow) => flow.category === category)
    .reduce((value, flow) => value.plus(flow.value), ZERO);
}
