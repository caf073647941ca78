import Big from 'big.js';
import type { ClientBase } from 'pg';
import type { Sql } from '../database/database.js';
import type { FarmCalendar } from './calendar.js';
import { copyRows, escaped, NULL } from './copy-rows.js';
import { instant, type StoredFarm } from './farm-rows.js';
import { CATEGORIES, type HeadLine } from './head-line.js';
import { bookEvent } from './ledger.js';
import { loadBook } from './load-book.js';
import type { Moment } from './read-record.js';
import type { StockEvent } from './statement.js';
import { StockBook } from './stock-book.js';

/** An open transaction on a connection of its own or of the pool. */
export type LedgerTransaction = Sql & { readonly client: ClientBase };

/** An event in its place, with the number of its record. */
export interface PlacedEvent {
  readonly number: number;
  readonly moment: Moment;
  readonly event: StockEvent;
}

const CATEGORY_CODES = new Map(CATEGORIES.map((category, code) => [category, code]));

/** The order of a page's rows. */
const LINE_COLUMNS = `bucket, farm_id, at, record, line, turn, day, category, species, enterprise, age_class, mob, paddock, animal,
  managed, delta, head, value, book, whp_clear, esi_clear`;

const ADD_FLOWS = `
INSERT INTO monthly_flow AS f (bucket, farm_id, month, species, enterprise, age_class, mob, paddock, category, delta, value, valued_head, lines)
SELECT $1, $2, a.* FROM json_to_recordset($3::json) AS a(
  month date, species text, enterprise text, age_class text, mob text, paddock text, category smallint,
  delta bigint, value numeric, valued_head bigint, lines bigint)
ON CONFLICT (bucket, farm_id, month, species, enterprise, age_class, mob, paddock, category) DO UPDATE SET
  delta = f.delta + excluded.delta, value = f.value + excluded.value,
  valued_head = f.valued_head + excluded.valued_head, lines = f.lines + excluded.lines`;

const ADD_BALANCES = `
INSERT INTO head_balance AS b (bucket, farm_id, mob, species, enterprise, age_class, paddock, managed, head, lines)
SELECT $1, $2, a.* FROM json_to_recordset($3::json) AS a(
  mob text, species text, enterprise text, age_class text, paddock text, managed boolean, head bigint, lines bigint)
ON CONFLICT (bucket, farm_id, mob, species, enterprise, age_class, paddock, managed) DO UPDATE SET
  head = b.head + excluded.head, lines = b.lines + excluded.lines`;

/**
 * Books events that follow all that the ledger holds, in their order: lines, monthly flows and balances. The farm must be locked
 * by the transaction. Answers the farm's turns after.
 */
export async function bookEvents(
  tx: LedgerTransaction,
  farm: StoredFarm,
  calendar: FarmCalendar,
  events: readonly PlacedEvent[],
  turns: number,
): Promise<number> {
  if (events.length === 0) return turns;
  const book = new StockBook();
  await loadBook(
    tx,
    farm,
    events.map(({ event }) => event),
    book,
  );
  const page = new LedgerPage(farm);
  let turn = turns;
  for (const { number, moment, event } of events) {
    const occasion = {
      at: moment.at,
      day: moment.day,
      currency: farm.currency,
      dayOf: (at: number) => calendar.dayOf(at),
    };
    page.add(number, ++turn, moment, bookEvent(event, occasion, book));
  }
  await page.write(tx);
  return turn;
}

/** Lines gathered to be written together. */
class LedgerPage {
  private readonly rows: string[] = [];
  private readonly flows = new Map<string, Flow>();
  private readonly balances = new Map<string, Balance>();
  private readonly tenant: string;

  constructor(private readonly farm: StoredFarm) {
    this.tenant = `${farm.bucket}\t${escaped(farm.id)}`;
  }

  add(record: number, turn: number, { at, day }: Moment, lines: readonly HeadLine[]): void {
    const time = instant(at);
    lines.forEach((line, index) => {
      const code = CATEGORY_CODES.get(line.category) ?? 0;
      const where = `${escaped(line.species)}\t${escaped(line.enterprise)}\t${escaped(line.ageClass)}\t${escaped(line.mob)}\t${escaped(line.paddock)}`;
      this.rows.push(
        `${this.tenant}\t${time}\t${record}\t${index}\t${turn}\t${day}\t${code}\t${where}\t${escaped(line.animal)}\t${line.managed ? 't' : 'f'}\t${line.delta}\t${line.head}\t` +
          `${line.value ?? NULL}\t${line.book ?? NULL}\t${line.whpClear ?? NULL}\t${line.esiClear ?? NULL}\n`,
      );
      if (line.delta !== 0) this.sum(where, day.slice(0, 7), code, line);
    });
  }

  async write(tx: LedgerTransaction): Promise<void> {
    if (this.rows.length === 0) return;
    await copyRows(tx.client, 'head_line', LINE_COLUMNS, this.rows);
    await this.addSums(
      tx,
      'add-flows',
      ADD_FLOWS,
      [...this.flows.values()].map((flow) => ({ ...flow, value: flow.value.toFixed() })),
    );
    await this.addSums(tx, 'add-balances', ADD_BALANCES, [...this.balances.values()]);
  }

  private async addSums(tx: Sql, name: string, text: string, sums: readonly object[]): Promise<void> {
    if (sums.length > 0)
      await tx.query({ name, text, values: [this.farm.bucket, this.farm.id, JSON.stringify(sums)] });
  }

  private sum(where: string, month: string, category: number, line: HeadLine): void {
    const { species, enterprise, ageClass: age_class, mob, paddock, managed, delta, value } = line;
    const place = { species, enterprise, age_class, mob, paddock };
    const flowKey = `${month}\t${category}\t${where}`;
    let flow = this.flows.get(flowKey);
    if (!flow)
      this.flows.set(
        flowKey,
        (flow = {
          month: `${month}-01`,
          category,
          ...place,
          delta: 0,
          value: new Big(0),
          valued_head: 0,
          lines: 0,
        }),
      );
    flow.delta += delta;
    flow.lines++;
    if (value !== undefined) {
      flow.value = flow.value.plus(value);
      flow.valued_head += line.head;
    }
    const cellKey = `${managed}\t${where}`;
    let balance = this.balances.get(cellKey);
    if (!balance) this.balances.set(cellKey, (balance = { ...place, managed, head: 0, lines: 0 }));
    balance.head += delta;
    balance.lines++;
  }
}

interface Place {
  readonly species: string;
  readonly enterprise: string;
  readonly age_class: string;
  readonly mob: string;
  readonly paddock: string;
}

interface Flow extends Place {
  readonly month: string;
  readonly category: number;
  delta: number;
  value: Big;
  valued_head: number;
  lines: number;
}

interface Balance extends Place {
  readonly managed: boolean;
  head: number;
  lines: number;
}
