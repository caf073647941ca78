import { DAY_PATTERN } from '../../operations/schema.js';
import type { Column, ColumnType } from '../generator.js';

type JsonSchema = Readonly<Record<string, unknown>>;

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

/** What may stand in a cell of each type; every cell may be blank. */
const CELLS: Readonly<Record<ColumnType, JsonSchema>> = {
  text: { type: ['string', 'null'] },
  integer: { type: ['integer', 'null'] },
  decimal: { type: ['string', 'null'], pattern: '^-?[0-9]+(\\.[0-9]+)?$' },
  date: { type: ['string', 'null'], pattern: DAY_PATTERN },
  time: { type: ['string', 'null'], pattern: '^[0-9]{2}:[0-9]{2}:[0-9]{2}$' },
};

const ROW_TYPES = ['detail', 'subtotal', 'total'];

/** JSON Schema of what the JSON encoder writes about a report of `type`. */
export function contentSchema(type: string, title: string, columns: readonly Column[]): JsonSchema {
  return {
    $schema: DIALECT,
    title,
    ...closed({
      report: closed({
        type: { const: type },
        farm: { type: 'string' },
        period: closed({
          start: { type: 'string', pattern: DAY_PATTERN },
          end: { type: 'string', pattern: DAY_PATTERN },
          timeZone: { type: 'string' },
        }),
      }),
      columns: {
        type: 'array',
        items: closed({
          name: { enum: ['row', 'row_type', ...columns.map(({ name }) => name)] },
          type: { enum: Object.keys(CELLS) },
          unit: { type: 'string' },
        }),
      },
      rows: { type: 'array', items: row(columns, ['detail']) },
      totals: { type: 'array', items: row(columns, ROW_TYPES.slice(1)) },
      warnings: { type: 'array', items: { type: 'string' } },
    }),
  };
}

/** JSON Schema of a line that the NDJSON encoder writes. */
export function lineSchema(title: string, columns: readonly Column[]): JsonSchema {
  return { $schema: DIALECT, title: `${title}, a row`, ...row(columns, ROW_TYPES) };
}

function row(columns: readonly Column[], rowTypes: readonly string[]): JsonSchema {
  return closed({
    row: { type: 'integer', minimum: 1 },
    row_type: { enum: rowTypes },
    ...Object.fromEntries(columns.map((column) => [column.name, cell(column)])),
  });
}

function cell({ type, unit, description }: Column): JsonSchema {
  return { ...CELLS[type], description: unit === 'none' ? description : `${description} (${unit})` };
}

/** An object that has all of these members and no others. */
function closed(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: 'object', required: Object.keys(properties), properties, additionalProperties: false };
}
