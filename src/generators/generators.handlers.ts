import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import {
  bucketOfReport,
  ListReportTypes,
  OpenReportContent,
  type ReportTypeDescription,
} from '../reports/index.js';
import { ArtifactMissing } from './artifact-store.js';
import { Catalogue, type CatalogueEntry } from './catalogue.js';
import { contentSchema, FORMATS, lineSchema } from './formats/index.js';
import { PostgresArtifacts } from './postgres-artifacts.js';

@QueryHandler(ListReportTypes)
export class ListReportTypesHandler implements IQueryHandler<ListReportTypes> {
  constructor(private readonly catalogue: Catalogue) {}

  async execute(): Promise<readonly ReportTypeDescription[]> {
    return this.catalogue.entries.map(descriptionOf);
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

function descriptionOf({ declaration }: CatalogueEntry): ReportTypeDescription {
  const { type, title, description, replacedBy, deprecatedSince, sunset, columns } = declaration;
  return {
    type,
    title,
    description,
    generator: replacedBy ?? type,
    deprecated: replacedBy !== undefined,
    ...(replacedBy !== undefined && { replacedBy }),
    ...(deprecatedSince !== undefined && { deprecatedSince }),
    ...(sunset !== undefined && { sunset }),
    formats: FORMATS,
    columns: columns.map(({ name, type, unit, description, jsonOnly }) => ({
      name,
      type,
      unit,
      description,
      ...(jsonOnly && { jsonOnly }),
    })),
    schema: contentSchema(replacedBy ?? type, title, columns),
    rowSchema: lineSchema(title, columns),
  };
}
