import type { ReportTypeDescription } from '../reports/index.js';
import { named } from '../operations/schema.js';
import type { LateSchemas } from './components.js';

/** The parts of the document that say which report types are installed. */
export function schemasOf(types: readonly ReportTypeDescription[]): LateSchemas {
  const contents = types
    .filter(({ deprecated }) => !deprecated)
    .map(({ type, schema }) => {
      const { $schema: _, ...content } = schema;
      return named(`${pascal(type)}Content`, content);
    });
  return {
    ReportType: {
      description: 'A report type. A deprecated one makes what its successor makes.',
      oneOf: types.map((type) => ({
        const: type.type,
        title: type.title,
        description: type.description,
        ...(type.deprecated && {
          deprecated: true,
          description: `Deprecated: ask for ${type.replacedBy ?? ''}.`,
        }),
      })),
    },
    ReportContent: {
      description: 'A report as JSON. `rows` holds the details and `totals` the subtotals and totals.',
      anyOf: contents,
    },
  };
}

/** `livestock-sale.v1` is `LivestockSaleV1`. */
function pascal(type: string): string {
  return type.replace(/(?:^|[-.])([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
