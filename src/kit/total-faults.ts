import Big from 'big.js';
import type { Cell, Column, Row } from '../generators/generator.js';

/**
 * Totals that are not the sum of their rows. A subtotal or total sums the detail rows that agree with its texts and days (a text
 * that no detail row has is a label). Amounts may be rounded where they are shown: by half of the last place in each row.
 */
export function totalFaults(rows: readonly Row[], columns: readonly Column[]): string[] {
  const details = rows.filter(({ rowType }) => rowType === 'detail');
  const summed = columns.flatMap(({ controlTotal }, index) => (controlTotal ? [index] : []));
  return rows
    .filter(({ rowType }) => rowType !== 'detail')
    .flatMap((total) => {
      const parts = partsOf(total, details, columns);
      return summed.flatMap((index) => faultOf(total, parts, index, columns[index] as Column));
    });
}

function partsOf({ cells }: Row, details: readonly Row[], columns: readonly Column[]): readonly Row[] {
  const keys = columns.flatMap(({ type }, index) => {
    const isKey = type === 'text' || type === 'date';
    const known = isKey && cells[index] !== null && details.some((row) => row.cells[index] === cells[index]);
    return known ? [index] : [];
  });
  return details.filter((row) => keys.every((index) => row.cells[index] === cells[index]));
}

function faultOf({ rowType, cells }: Row, parts: readonly Row[], index: number, { name }: Column): string[] {
  const shown = cells[index] ?? null;
  if (shown === null) return [];
  const summands = parts.flatMap((row) => numberOf(row.cells[index]));
  const sum = summands.reduce((total, summand) => total.plus(summand), new Big(0));
  const allowed = half(placesOf(parts, index))
    .times(summands.length)
    .plus(half(places(shown) || placesOf(parts, index)));
  if (
    sum
      .minus(shown)
      .abs()
      .lte(isWhole(shown, parts, index) ? 0 : allowed)
  )
    return [];
  return [`a ${rowType} has ${shown} for ${name}, but its ${parts.length} detail rows make ${sum.toFixed()}`];
}

function isWhole(shown: Cell, parts: readonly Row[], index: number): boolean {
  return typeof shown === 'number' && parts.every((row) => typeof row.cells[index] !== 'string');
}

function half(places: number): Big {
  return new Big(10).pow(-places).div(2);
}

function placesOf(parts: readonly Row[], index: number): number {
  return parts.reduce((most, row) => Math.max(most, places(row.cells[index] ?? null)), 0);
}

function places(cell: Cell): number {
  return String(cell).split('.')[1]?.length ?? 0;
}

function numberOf(cell: Cell | undefined): Big[] {
  return cell === null || cell === undefined ? [] : [new Big(cell)];
}
