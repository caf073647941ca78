import type { FarmRecords, PaddockVersion } from '../../farm-records/reader.js';
import { Decimal, over, quotient, rounded, sum, trimmed, ZERO } from '../decimals.js';
import { column, type RowColumn } from '../row-columns.js';
import type { Carried, GrazedLand } from './grazed-land.js';
import type { Paddocks, Segment } from './segments.js';

const UNALLOCATED = 'Unallocated';
const CROPPING = 'Cropping';

/** Area by segment, exact; undefined when it is not known. */
export interface Areas {
  readonly total: readonly (Decimal | undefined)[];
  readonly grazable: readonly (Decimal | undefined)[];
}

/** What a row is about: land over one or more segments. */
export interface LoadOf {
  readonly records: FarmRecords;
  readonly paddock: string | null;
  readonly month: string | null;
  readonly segments: readonly Segment[];
  /** Which of all segments these are. */
  readonly indices: readonly number[];
  readonly carried: readonly Carried[];
  readonly areas: Areas;
}

export function paddockLabel(records: FarmRecords, paddock: string): string {
  return paddock === '' ? UNALLOCATED : records.names.paddock(paddock);
}

/** Areas of one paddock, version by version. */
export function areasOf(paddock: string, paddocks: Paddocks, segments: readonly Segment[]): Areas {
  const versions = segments.map(({ period }) => paddocks.on(period.start, paddock));
  return {
    total: versions.map((version) => area(version?.totalArea)),
    grazable: versions.map((version) => area(version?.grazableArea)),
  };
}

/** The farm's areas: all paddocks but cropping ones. */
export function farmAreas(paddocks: Paddocks, segments: readonly Segment[]): Areas {
  const grazed = segments.map(({ period }) =>
    paddocks.ids
      .map((id) => paddocks.on(period.start, id))
      .filter((version) => version !== undefined && !isCropping(version)),
  );
  const together = (pick: (version: PaddockVersion) => string | undefined) =>
    grazed.map((versions) => {
      const known = versions.flatMap((version) => area(pick(version as PaddockVersion)) ?? []);
      return known.length > 0 ? sum(known) : undefined;
    });
  return {
    total: together((version) => version.totalArea),
    grazable: together((version) => version.grazableArea),
  };
}

export function isCropping(version: PaddockVersion | undefined): boolean {
  return version?.landUse === CROPPING;
}

/** Whether land carried anything at all in these segments. */
export function isGrazed(land: GrazedLand | undefined, indices: readonly number[]): boolean {
  return indices.some((index) => {
    const carried = land?.carried[index];
    return carried !== undefined && (carried.daysGrazed > 0 || !carried.load.headDays.eq(0));
  });
}

function area(text: string | undefined): Decimal | undefined {
  return text === undefined ? undefined : new Decimal(text);
}

function days({ segments }: LoadOf): number {
  return segments.reduce((total, segment) => total + segment.days, 0);
}

function grazed({ carried }: LoadOf): number {
  return carried.reduce((total, part) => total + part.daysGrazed, 0);
}

function unitDays({ carried }: LoadOf): Decimal {
  return sum(carried.map(({ load }) => load.unitDays));
}

/** The mean of an area over the days on which it is known. */
function meanArea(row: LoadOf, areas: readonly (Decimal | undefined)[]): Decimal | undefined {
  const known = row.segments.flatMap((segment, at) => {
    const area = areas[row.indices[at] as number];
    return area ? [{ area, days: segment.days }] : [];
  });
  return over(
    sum(known.map((part) => part.area.times(part.days))),
    known.reduce((total, part) => total + part.days, 0),
  );
}

/** Each unit-day over the area it was carried on; blank when that is zero or not known. */
function unitDaysPerArea(row: LoadOf): Decimal | undefined {
  const parts = row.carried.map(({ load }, at) => {
    const area = row.areas.grazable[row.indices[at] as number];
    return area?.gt(0) ? quotient(load.unitDays, area) : load.unitDays.eq(0) ? null : undefined;
  });
  if (parts.includes(undefined) || parts.every((part) => part === null)) return undefined;
  return sum(parts.filter((part) => part !== null && part !== undefined));
}

function peak({ carried }: LoadOf): Decimal {
  return carried.reduce((highest, part) => (part.peak.gt(highest) ? part.peak : highest), ZERO);
}

const load = column<LoadOf>;
const total = { controlTotal: true };

export const COLUMNS: readonly RowColumn<LoadOf>[] = [
  load('paddock', 'text', 'none', `Paddock; ${UNALLOCATED} for stock in none`, ({ records, paddock }) =>
    paddock === null ? null : paddockLabel(records, paddock),
  ),
  load('paddock_id', 'text', 'none', 'Id of the paddock', ({ paddock }) => paddock || null, {
    jsonOnly: true,
  }),
  load('month', 'text', 'month', 'Calendar month, YYYY-MM', ({ month }) => month),
  load('area_total', 'decimal', 'area_unit', 'Fenced area; the mean by days where it changed', (row) =>
    trimmed(meanArea(row, row.areas.total), 4),
  ),
  load(
    'area_grazable',
    'decimal',
    'area_unit',
    'Grazable area, on which every figure per area stands; of the farm without cropping paddocks',
    (row) => trimmed(meanArea(row, row.areas.grazable), 4),
  ),
  load('area_unit', 'text', 'none', 'ha or ac', ({ records }) => records.farm.areaUnit),
  load(
    'unit',
    'text',
    'none',
    'Animal unit of the farm: dse, ae, lsu or au',
    ({ records }) => records.farm.animalUnit,
  ),
  load('days_in_period', 'integer', 'days', 'Local days of the month inside the period', days),
  load('days_grazed', 'integer', 'days', 'Local days with stock at any instant', grazed),
  load('days_empty', 'integer', 'days', 'days_in_period - days_grazed', (row) => days(row) - grazed(row)),
  load('grazing_pct', 'decimal', '%', 'days_grazed / days_in_period', (row) =>
    rounded(over(new Decimal(grazed(row) * 100), days(row)), 2),
  ),
  load(
    'head_days',
    'decimal',
    'head days',
    'Head times days, by the instant',
    ({ carried }) => rounded(sum(carried.map((part) => part.load.headDays)), 2),
    total,
  ),
  load(
    'unit_days',
    'decimal',
    'unit days',
    'Head times days times the rating that held on the day',
    (row) => rounded(unitDays(row), 2),
    total,
  ),
  load(
    'unit_days_per_area',
    'decimal',
    'unit days/area_unit',
    'unit_days over the grazable area that was there on the day',
    (row) => rounded(unitDaysPerArea(row), 2),
  ),
  load('avg_load', 'decimal', 'unit', 'unit_days / days_in_period', (row) =>
    rounded(over(unitDays(row), days(row)), 2),
  ),
  load('peak_load', 'decimal', 'unit', 'Highest load at any instant', (row) => rounded(peak(row), 2)),
  load('avg_load_per_area', 'decimal', 'unit/area_unit', 'unit_days_per_area / days_in_period', (row) =>
    rounded(over(unitDaysPerArea(row), days(row)), 2),
  ),
  load(
    'head_days_unrated',
    'decimal',
    'head days',
    'Head days of stock without a rating, which are in no unit column',
    ({ carried }) => rounded(sum(carried.map((part) => part.load.unratedHeadDays)), 2),
    total,
  ),
];
