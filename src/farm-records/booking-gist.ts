import type { Statement } from './statement.js';

/**
 * What the ledger's lines hang on of a statement, but for their value, as a text to compare: two statements of the same gist at the same
 * place in time are booked alike. Undefined for what is not booked. It says too much rather than too little.
 */
export function bookingGist(statement: Statement | undefined): string | undefined {
  if (!statement || !('does' in statement)) return undefined;
  switch (statement.does) {
    case 'enter':
    case 'leave':
      return JSON.stringify([statement.does, statement.as, statement.subject]);
    case 'tag':
      return JSON.stringify([statement.does, statement.subject]);
    case 'feed': {
      const { end, whpDays, fed } = statement.feeding;
      return JSON.stringify([
        statement.does,
        statement.subject,
        end,
        whpDays,
        fed.map(({ feedId }) => feedId),
      ]);
    }
    case 'treat': {
      const { courseId, medicineIds, whpDays, esiDays, whpEnd, esiEnd } = statement.treatment;
      return JSON.stringify([
        statement.does,
        statement.subject,
        courseId,
        medicineIds,
        whpDays,
        esiDays,
        whpEnd,
        esiEnd,
      ]);
    }
    default:
      return JSON.stringify(statement);
  }
}

/** What the value of its lines hangs on, on which no other line does. */
export function worthGist(statement: Statement | undefined): string {
  if (!statement || !('details' in statement)) return '';
  const { price, weight, carcassWeight, fees } = statement.details.trade;
  return JSON.stringify([price, weight, carcassWeight, fees]);
}
