import Ajv2020 from 'ajv/dist/2020.js';

/** The schemas that a report type publishes: of its JSON content, and of a line of its NDJSON. */
export interface PublishedSchemas {
  readonly schema: object;
  readonly rowSchema: object;
}

/** Says what of a report's content is not as its type publishes it; nothing when all is. */
export function contentFaults({
  schema,
  rowSchema,
}: PublishedSchemas): (json: string, ndjson: string) => string[] {
  const ajv = new Ajv2020.default({ strict: true, allowUnionTypes: true, allErrors: true });
  const [content, line] = [ajv.compile(schema), ajv.compile(rowSchema)];
  const faultsOf = (validate: typeof content, what: string, text: string) =>
    validate(JSON.parse(text)) ? [] : [`${what}: ${ajv.errorsText(validate.errors)}`];
  return (json, ndjson) => [
    ...faultsOf(content, 'JSON', json),
    ...ndjson
      .split('\n')
      .slice(0, -1)
      .flatMap((text, index) => faultsOf(line, `line ${index + 1}`, text)),
    ...sameRows(json, ndjson),
  ];
}

/** JSON has the details and the totals apart; together they are the lines. */
function sameRows(json: string, ndjson: string): string[] {
  const { rows, totals } = JSON.parse(json) as Record<'rows' | 'totals', { row: number }[]>;
  const inOrder = [...rows, ...totals].toSorted((one, other) => one.row - other.row);
  const lines = inOrder.map((row) => `${JSON.stringify(row)}\n`).join('');
  return lines === ndjson ? [] : ['NDJSON has other rows than JSON'];
}
