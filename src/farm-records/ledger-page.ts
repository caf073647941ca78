import Big from 'big.js';
import type { ClientBase } from 'pg';
import type { Sql } from '../database/database.js';
import { copyRows, escaped, NULL } from './copy-rows.js';
import { instant, type StoredFarm } from './farm-rows.js';
import { CATEGORIES, type HeadLine } from './head-line.js';
import { addBalances, addClassFlows, addFlows } from './ledger-sums.js';
import type { Moment } from './read-record.js';

/** An open transaction on a connection of its own or of the pool. */
export type LedgerTransaction = Sql & { readonly client: ClientBase };

const CATEGORY_CODES = new Map(CATEGORIES.map((category, code) => [category, code]));

/** The order of a page's rows. */
const LINE_COLUMNS = `bucket, farm_id, at, record, line, turn, day, category, species, enterprise, age_class, mob, paddock, animal,
  managed, delta, head, value, book, whp_clear, esi_clear, empties`;

const ADD_FLOWS = addFlows(`json_to_recordset($3::json) AS a(
  month date, species text, enterprise text, age_class text, mob text, paddock text, category smallint,
  delta bigint, value numeric, valued_head bigint, lines bigint)`);
const ADD_CLASS_FLOWS = addClassFlows(`json_to_recordset($3::json) AS a(
  day date, species text, enterprise text, age_class text, category smallint,
  delta bigint, value numeric, valued_head bigint, lines bigint)`);
const ADD_BALANCES = addBalances(`json_to_recordset($3::json) AS a(
  mob text, species text, enterprise text, age_class text, paddock text, managed boolean, head bigint, lines bigint)`);

/** Lines gathered to be written together, with what they add to the sums of the ledger. */
export class LedgerPage {
  private readonly rows: string[] = [];
  private readonly flows = new Sums<Place & { month: string; category: number }>();
  private readonly classFlows = new Sums<Class & { day: string; category: number }>();
  private readonly balances = new Sums<Place & { managed: boolean }>();
  private readonly tenant: string;

  constructor(private readonly farm: StoredFarm) {
    this.tenant = `${farm.bucket}\t${escaped(farm.id)}`;
  }

  add(record: number, turn: number, { at, day }: Moment, lines: readonly HeadLine[]): void {
    const time = instant(at);
    lines.forEach((line, index) => {
      const code = CATEGORY_CODES.get(line.category) ?? 0;
      const what = `${escaped(line.species)}\t${escaped(line.enterprise)}\t${escaped(line.ageClass)}`;
      const where = `${what}\t${escaped(line.mob)}\t${escaped(line.paddock)}`;
      this.rows.push(
        `${this.tenant}\t${time}\t${record}\t${index}\t${turn}\t${day}\t${code}\t${where}\t${escaped(line.animal)}\t${line.managed ? 't' : 'f'}\t${line.delta}\t${line.head}\t` +
          `${line.value ?? NULL}\t${line.book ?? NULL}\t${line.whpClear ?? NULL}\t${line.esiClear ?? NULL}\t${line.empties ? 't' : 'f'}\n`,
      );
      if (line.delta !== 0) this.sum(what, where, day, code, line);
    });
  }

  async write(tx: LedgerTransaction): Promise<void> {
    if (this.rows.length === 0) return;
    await copyRows(tx.client, 'head_line', LINE_COLUMNS, this.rows);
    await this.addSums(tx, 'add-flows', ADD_FLOWS, this.flows);
    await this.addSums(tx, 'add-class-flows', ADD_CLASS_FLOWS, this.classFlows);
    await this.addSums(tx, 'add-balances', ADD_BALANCES, this.balances);
  }

  private async addSums(tx: Sql, name: string, text: string, sums: Sums<object>): Promise<void> {
    const rows = sums.rows();
    if (rows.length > 0)
      await tx.query({ name, text, values: [this.farm.bucket, this.farm.id, JSON.stringify(rows)] });
  }

  private sum(what: string, where: string, day: string, category: number, line: HeadLine): void {
    const { species, enterprise, ageClass: age_class, mob, paddock, managed } = line;
    const place = { species, enterprise, age_class, mob, paddock };
    const month = day.slice(0, 7);
    this.flows.add(`${month}\t${category}\t${where}`, line, { month: `${month}-01`, category, ...place });
    this.classFlows.add(`${day}\t${category}\t${what}`, line, {
      day,
      category,
      species,
      enterprise,
      age_class,
    });
    this.balances.add(`${managed}\t${where}`, line, { managed, ...place });
  }
}

interface Class {
  readonly species: string;
  readonly enterprise: string;
  readonly age_class: string;
}

interface Place extends Class {
  readonly mob: string;
  readonly paddock: string;
}

/** Sums of lines by what they are grouped by, named as the database does. */
class Sums<Group extends object> {
  private readonly sums = new Map<
    string,
    { group: Group; delta: number; value: Big; valued_head: number; lines: number }
  >();

  add(key: string, { delta, value, head }: HeadLine, group: Group): void {
    let sum = this.sums.get(key);
    if (!sum) this.sums.set(key, (sum = { group, delta: 0, value: ZERO, valued_head: 0, lines: 0 }));
    sum.delta += delta;
    sum.lines++;
    if (value !== undefined) {
      sum.value = sum.value.plus(value);
      sum.valued_head += head;
    }
  }

  rows(): object[] {
    return [...this.sums.values()].map(({ group, delta, value, ...counts }) => ({
      ...group,
      ...counts,
      delta,
      head: delta,
      value: value.toFixed(),
    }));
  }
}

const ZERO = new Big(0);
