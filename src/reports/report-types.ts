import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { ReportRequested } from './report.js';
import { ListReportTypes, type ReportTypeDescription } from './messages.js';

const DEPRECATED = ' is deprecated;';

/** Whether the caller was told that the type is deprecated. */
export function saysDeprecated({ request, warnings }: ReportRequested): boolean {
  return warnings.some((warning) => warning.startsWith(`${request.type}${DEPRECATED}`));
}

/** The report types on offer, as reports needs to know them; asked for once, at start. */
@Injectable()
export class ReportTypes implements OnApplicationBootstrap {
  private types: ReadonlyMap<string, ReportTypeDescription> = new Map();

  constructor(private readonly queries: QueryBus) {}

  async onApplicationBootstrap(): Promise<void> {
    const types = await this.queries.execute(new ListReportTypes());
    this.types = new Map(types.map((type) => [type.type, type]));
  }

  all(): ReportTypeDescription[] {
    return [...this.types.values()];
  }

  find(type: string): ReportTypeDescription | undefined {
    return this.types.get(type);
  }

  /** Which generator makes a report of this type, and what its caller is told about that. */
  resolve(type: string): { readonly generator: string; readonly notices: readonly string[] } {
    const found = this.types.get(type);
    if (!found) throw new Error(`no report type ${type}`);
    const { generator, replacedBy } = found;
    return {
      generator,
      notices: replacedBy ? [`${type}${DEPRECATED} ask for ${replacedBy} instead.`] : [],
    };
  }
}
