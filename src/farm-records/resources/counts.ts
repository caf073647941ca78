import type { StockEvent } from '../statement.js';
import type { Fields } from './fields.js';
import { readClaim } from './subject.js';
import { present } from './trade.js';

export function readOpeningStock(event: Fields): StockEvent {
  const lines = event.needList('lines', (line) => {
    if (!line.has('species')) line.reject('species', 'species is missing.');
    const value = line.decimal('value', { min: 0, max: 1_000_000_000_000 });
    return { ...readClaim(line), head: line.needHead('head'), ...present({ value }) };
  });
  return { does: 'open', lines };
}

export function readStockCount(event: Fields): StockEvent {
  const lines = event.needList('lines', (line) => ({ ...readClaim(line), head: line.needHead('head') }));
  return { does: 'count', lines, bookAdjustment: event.flag('bookAdjustment') ?? false };
}
