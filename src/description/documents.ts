import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Config } from '../config.js';
import { ListReportTypes, type ReportTypeDescription } from '../reports/index.js';
import { type AsyncApi, asyncApi } from './asyncapi.js';
import { schemasOf } from './late-schemas.js';
import { type OpenApi, openApi } from './openapi.js';
import { type Route, Routes } from './routes.js';

/** What the service says of itself. */
export interface DescriptionDocuments {
  readonly openApi: OpenApi;
  readonly asyncApi: AsyncApi;
}

export function documentsOf(
  routes: readonly Route[],
  types: readonly ReportTypeDescription[],
  publicUrl: string,
): DescriptionDocuments {
  const late = schemasOf(types);
  return { openApi: openApi(routes, publicUrl, late), asyncApi: asyncApi(publicUrl, late) };
}

/** The descriptions of this service, made when they are first asked for. */
@Injectable()
export class Documents {
  private made?: Promise<DescriptionDocuments>;

  constructor(
    private readonly routes: Routes,
    private readonly queries: QueryBus,
    private readonly config: Config,
  ) {}

  all(): Promise<DescriptionDocuments> {
    return (this.made ??= this.make());
  }

  private async make(): Promise<DescriptionDocuments> {
    const types = await this.queries.execute(new ListReportTypes());
    return documentsOf(this.routes.all(), types, this.config.publicUrl);
  }
}
