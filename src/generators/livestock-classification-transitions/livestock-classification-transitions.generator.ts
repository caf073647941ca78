import type { FarmRecords, Period, Transition } from '../../farm-records/reader.js';
import { byDay, EvidenceSum } from '../evidence.js';
import {
  type Evidence,
  type GenerationInput,
  type Generator,
  ReportGenerator,
  type Row,
  type RowExplanation,
  type RowInQuestion,
  SelfCheckFailed,
} from '../generator.js';
import { cellsNamed, cellsOf, column, declared, type RowColumn } from '../row-columns.js';
import { type TransitionPart, transitionParts } from '../transition-parts.js';

interface Shown {
  readonly records: FarmRecords;
  readonly transition: Transition;
}

const shown = column<Shown>;
const json = { jsonOnly: true };
const total = { controlTotal: true };

const COLUMNS: readonly RowColumn<Shown>[] = [
  shown('date', 'date', 'day', 'Local day', ({ transition }) => transition.day),
  shown('species', 'text', 'none', 'Species', ({ transition }) => transition.species),
  shown(
    'from_age_class',
    'text',
    'none',
    'Age class at the start of the day',
    ({ transition }) => transition.fromAgeClass,
  ),
  shown('from_enterprise', 'text', 'none', 'Enterprise at the start of the day', ({ records, transition }) =>
    records.names.enterprise(transition.fromEnterprise),
  ),
  shown(
    'from_enterprise_id',
    'text',
    'none',
    'Id of that enterprise',
    ({ transition }) => transition.fromEnterprise,
    json,
  ),
  shown(
    'to_age_class',
    'text',
    'none',
    'Age class at the end of the day',
    ({ transition }) => transition.toAgeClass,
  ),
  shown('to_enterprise', 'text', 'none', 'Enterprise at the end of the day', ({ records, transition }) =>
    records.names.enterprise(transition.toEnterprise),
  ),
  shown(
    'to_enterprise_id',
    'text',
    'none',
    'Id of that enterprise',
    ({ transition }) => transition.toEnterprise,
    json,
  ),
  shown('kind', 'text', 'none', 'age_class, enterprise or both', ({ transition }) => transition.kind),
  shown(
    'head',
    'integer',
    'head',
    'Head that changed, net over the day',
    ({ transition }) => transition.head,
    total,
  ),
  shown(
    'head_mob',
    'integer',
    'head',
    'Of these, counted in mobs',
    ({ transition }) => transition.headMob,
    total,
  ),
  shown(
    'head_individual',
    'integer',
    'head',
    'Of these, individually managed',
    ({ transition }) => transition.headIndividual,
    total,
  ),
  shown('cause', 'text', 'none', 'Why, as far as it was said', ({ transition }) => transition.cause || null),
];

@ReportGenerator({
  type: 'livestock-classification-transitions.v1',
  title: 'Classification transitions',
  description:
    'Which stock changed age class or enterprise, day by day, net of what was undone the same day, in mobs and individually managed alike.',
  version: '1.0',
  columns: declared(COLUMNS),
  rules: [
    'A row per local day and change; a total.',
    'An animal with a record of its own counts by its net change over the day: from A to B and back is none. Head by number count change by change; an exact reverse pair inside one mob on one day nets out.',
    'Births, arrivals, departures, deaths, splits, merges and tagging are no transitions.',
    'The class columns of the reconciliation are the changes of kind age_class, its enterprise columns those of kind enterprise and both.',
  ],
})
export class LivestockClassificationTransitions implements Generator {
  async *rows({ records, period }: GenerationInput): AsyncIterable<readonly Row[]> {
    const sum = { head: 0, head_mob: 0, head_individual: 0 };
    let rows = 0;
    for await (const transitions of records.transitions(period)) {
      for (const { head, headMob, headIndividual } of transitions) {
        sum.head += head;
        sum.head_mob += headMob;
        sum.head_individual += headIndividual;
      }
      rows += transitions.length;
      yield transitions.map((transition) => ({
        rowType: 'detail',
        cells: cellsOf(COLUMNS, { records, transition }),
      }));
    }
    if (sum.head !== sum.head_mob + sum.head_individual) {
      throw new SelfCheckFailed(
        `${sum.head} head changed, but ${sum.head_mob} in mobs and ${sum.head_individual} individually`,
      );
    }
    if (rows > 0) yield [{ rowType: 'total', cells: cellsNamed(COLUMNS, sum) }];
  }

  async explain({ records, period }: GenerationInput, row: RowInQuestion): Promise<RowExplanation> {
    const { date } = row.cells;
    const day = typeof date === 'string' ? date : undefined;
    const days = {
      start: day ?? (row.since > period.start ? row.since : period.start),
      end: day ?? period.end,
    };
    return { broughtForward: {}, evidence: changes(records, days, row) };
  }
}

async function* changes(
  records: FarmRecords,
  days: Period,
  row: RowInQuestion,
): AsyncIterable<readonly Evidence[]> {
  for await (const day of byDay(records.entries(days, {}, ['reclassification']))) {
    const sum = new EvidenceSum();
    for (const part of transitionParts(day)) {
      if (row.rowType === 'detail' && !isOf(row, part)) continue;
      const { headMob, headIndividual } = part;
      sum.add(part.record, {
        head: headMob + headIndividual,
        head_mob: headMob,
        head_individual: headIndividual,
      });
    }
    yield sum.toEvidence();
  }
}

function isOf({ cells }: RowInQuestion, part: TransitionPart): boolean {
  return (
    cells.species === part.species &&
    cells.from_age_class === part.fromAgeClass &&
    cells.from_enterprise_id === part.fromEnterprise &&
    cells.to_age_class === part.toAgeClass &&
    cells.to_enterprise_id === part.toEnterprise
  );
}
