import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import {
  bucketOfReport,
  type ExplainedRow,
  ExplainRow,
  ListReportTypes,
  type NotExplained,
  OpenReportContent,
  type ReportTypeDescription,
} from '../reports/index.js';
import type { Config } from '../config.js';
import { ArtifactMissing } from './artifact-store.js';
import { Catalogue, type CatalogueEntry } from './catalogue.js';
import { Explanations } from './explanations.js';
import { contentSchema, FORMATS, lineSchema } from './formats/index.js';
import { PostgresArtifacts } from './postgres-artifacts.js';
import { type DeliveredRow, findRow } from './row-lookup.js';

@QueryHandler(ListReportTypes)
export class ListReportTypesHandler implements IQueryHandler<ListReportTypes> {
  constructor(private readonly catalogue: Catalogue) {}

  async execute(): Promise<readonly ReportTypeDescription[]> {
    return this.catalogue.entries.map((entry) => descriptionOf(entry, this.catalogue.makerOf(entry)));
  }
}

@QueryHandler(OpenReportContent)
export class OpenReportContentHandler implements IQueryHandler<OpenReportContent> {
  constructor(private readonly artifacts: PostgresArtifacts) {}

  async execute({ reportId, attempt, format, range }: OpenReportContent): Promise<AsyncIterable<Buffer>> {
    const bucket = bucketOfReport(reportId);
    if (bucket === undefined) throw new ArtifactMissing(`${reportId} is no report`);
    return this.artifacts.read({ bucket, reportId, attempt }, format, range);
  }
}

@QueryHandler(ExplainRow)
export class ExplainRowHandler implements IQueryHandler<ExplainRow> {
  constructor(
    private readonly artifacts: PostgresArtifacts,
    private readonly catalogue: Catalogue,
    private readonly explanations: Explanations,
  ) {}

  async execute(query: ExplainRow): Promise<ExplainedRow | NotExplained> {
    const { record, limit, column, after } = query;
    const entry = this.catalogue.find(record.manifest?.generator ?? record.type);
    if (!entry) return 'not said';
    const row = await this.delivered(query);
    if (!row) return 'no such row';
    const madeFrom = record.manifest?.recordsPosition ?? '';
    const asked = { ...(column !== undefined && { column }), ...(after && { after }) };
    const task = {
      farmId: record.tenantId,
      type: entry.declaration.type,
      source: entry.source,
      period: record.period,
      question: { row, limit, madeFrom, ...asked },
    };
    return this.explanations.explain(task);
  }

  private async delivered({ record, row }: ExplainRow): Promise<DeliveredRow | undefined> {
    const file = record.manifest?.files.find(({ format }) => format === 'ndjson');
    const bucket = bucketOfReport(record.id);
    if (!file || bucket === undefined) return undefined;
    const key = { bucket, reportId: record.id, attempt: record.attempt ?? 0 };
    const read = async (start: number, end: number) => {
      const range = { start, end: Math.min(end, file.bytes) };
      return Buffer.concat(await Array.fromAsync(this.artifacts.read(key, file.format, range)));
    };
    return findRow(read, file.bytes, row);
  }
}

function descriptionOf({ declaration }: CatalogueEntry, generator: string): ReportTypeDescription {
  const { type, title, description, replacedBy, deprecatedSince, sunset, columns } = declaration;
  return {
    type,
    title,
    description,
    generator,
    deprecated: replacedBy !== undefined,
    ...(replacedBy !== undefined && { replacedBy }),
    ...(deprecatedSince !== undefined && { deprecatedSince: unixSeconds(deprecatedSince) }),
    ...(sunset !== undefined && { sunset: unixSeconds(sunset) }),
    formats: FORMATS,
    columns: columns.map(({ name, type, unit, description, jsonOnly }) => ({
      name,
      type,
      unit,
      description,
      ...(jsonOnly && { jsonOnly }),
    })),
    schema: contentSchema(generator, title, columns),
    rowSchema: lineSchema(title, columns),
  };
}

function unixSeconds(day: string): number {
  return Date.parse(day) / 1000;
}

/** What the installed report types say of themselves, read without an application. Throws CatalogueRefused. */
export async function installedReportTypes({
  reportModules,
}: Config): Promise<readonly ReportTypeDescription[]> {
  return new ListReportTypesHandler(await Catalogue.load(import.meta.dirname, reportModules)).execute();
}
