import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Config } from '../config.js';
import { ListReportTypes } from '../reports/index.js';
import { schemasOf } from './late-schemas.js';
import { type OpenApi, openApi } from './openapi.js';
import { Routes } from './routes.js';

/** The descriptions of the service, made when they are first asked for. */
@Injectable()
export class Documents {
  private made?: Promise<OpenApi>;

  constructor(
    private readonly routes: Routes,
    private readonly queries: QueryBus,
    private readonly config: Config,
  ) {}

  openApi(): Promise<OpenApi> {
    return (this.made ??= this.make());
  }

  private async make(): Promise<OpenApi> {
    const types = await this.queries.execute(new ListReportTypes());
    return openApi(this.routes.all(), this.config.publicUrl, schemasOf(types));
  }
}
