// Report types that each break one promise, for the conformance suite to find (test/conformance.spec.ts).
import { spawnSync } from 'node:child_process';
import { ReportGenerator } from 'muster/kit';

const text = (name) => ({ name, type: 'text', unit: 'none', description: name });
const head = { name: 'head', type: 'integer', unit: 'head', description: 'head' };
const date = { name: 'date', type: 'date', unit: 'day', description: 'day' };
const money = {
  name: 'amount',
  type: 'decimal',
  unit: 'currency',
  description: 'amount',
  controlTotal: true,
};
const detail = (...cells) => ({ rowType: 'detail', cells });

/** Gives a class what `rows` does and declares it. */
function broken(stem, columns, rows, more = {}) {
  const declare = ReportGenerator({
    type: `${stem}.v1`,
    title: stem,
    description: 'Breaks a promise',
    version: '1',
    columns,
    ...more,
  });
  const generator = class {
    rows = rows;
  };
  declare(generator);
  return generator;
}

/** `show` makes the rows of a batch of feed sales; the feed sales of a farm in rows of one column. */
const feedSales = (show) =>
  async function* ({ records, period }) {
    for await (const sales of records.feedSales(period)) yield sales.map((act) => show(act, records));
  };

export const HasNoUnit = broken('has-no-unit', [{ ...head, unit: '' }], async function* () {});
export const TellsTheTime = broken('tells-the-time', [text('now')], async function* () {
  yield [detail(new Date().toISOString().slice(0, 10))];
});
export const TellsLocalTime = broken(
  'tells-local-time',
  [text('hour')],
  async function* ({ records, period }) {
    const hour = new Date(records.calendar.startOf(period.start)).getHours();
    yield [detail(String(hour))];
  },
);
export const ThrowsDice = broken('throws-dice', [text('chance')], async function* () {
  yield [detail(String(Math.random()))];
});
const cell = (stem, column, value) =>
  broken(stem, [column], async function* ({ records, period }) {
    if ((await records.firstDay()) !== undefined) yield [detail(value(period))];
  });
export const HalfAnAnimal = cell('half-an-animal', head, () => 1.5);
export const FloatingMoney = cell('floating-money', money, () => 12.5);
export const ScientificMoney = cell('scientific-money', money, () => '1.25e3');
export const ShortMoney = cell('short-money', money, () => '12.5');
export const NoSuchDay = cell('no-such-day', date, () => '2024-02-30');
export const NumberForText = cell('number-for-text', text('name'), () => 7);
export const ExtraCell = broken('extra-cell', [head], async function* () {
  yield [detail(1, 2)];
});
export const UnknownRowType = broken('unknown-row-type', [head], async function* () {
  yield [{ rowType: 'sum', cells: [1] }];
});
export const GoesBack = broken('goes-back', [date], async function* ({ period }) {
  yield [detail(period.end), detail(period.start)];
});
export const TotalsFirst = broken('totals-first', [head], async function* () {
  yield [{ rowType: 'total', cells: [1] }, detail(1)];
});
export const EscapesFormulas = broken(
  'escapes-formulas',
  [text('buyer')],
  feedSales(({ what }) => detail(/^[=+@-]/.test(what.buyer) ? `'${what.buyer}` : what.buyer)),
);
export const CutsNames = broken(
  'cuts-names',
  [text('buyer')],
  feedSales(({ what }) => detail(what.buyer.slice(0, 12))),
);
export const NeverEmpty = broken('never-empty', [head], async function* () {
  yield [{ rowType: 'total', cells: [0] }];
});
export const ReadsUtcDays = broken(
  'reads-utc-days',
  [date],
  feedSales(({ record }) => detail(new Date(record.at).toISOString().slice(0, 10))),
);
export const NeedsMidnight = broken('needs-midnight', [date, text('midnight')], async function* (input) {
  const { records, period } = input;
  if ((await records.firstDay()) === undefined) return;
  for (let day = period.start; day <= period.end; day = records.calendar.plusDays(day, 1)) {
    const midnight = Temporal.PlainDateTime.from(`${day}T00:00`);
    yield [detail(day, midnight.toZonedDateTime(period.timeZone, { disambiguation: 'reject' }).toString())];
  }
});
export const MiscountsTotals = broken('miscounts-totals', [money], async function* (input) {
  let count = 0;
  for await (const sales of input.records.feedSales(input.period)) {
    count += sales.length;
    yield sales.map(() => detail('1.00'));
  }
  if (count > 0) yield [{ rowType: 'total', cells: [`${count + 1}.00`] }];
});
export const KeepsRecords = broken('keeps-records', [text('buyer')], async function* ({ records, period }) {
  const kept = [];
  for await (const sales of records.feedSales(period)) {
    kept.push(...sales);
    yield sales.map(({ what }) => detail(what.buyer));
  }
  if (kept.length === -1) yield [];
});
export const AllAtOnce = broken('all-at-once', [text('buyer')], async function* ({ records, period }) {
  yield (await Array.fromAsync(records.feedSales(period))).flat().map(({ what }) => detail(what.buyer));
});
export const CannotBeStopped = broken('cannot-be-stopped', [head], async function* () {
  spawnSync(process.execPath, ['-e', 'setTimeout(() => {}, 1400)']);
  yield [detail(1)];
});
export const Fails = broken('fails', [head], async function* () {
  yield [];
  throw new Error('there is no such thing');
});
