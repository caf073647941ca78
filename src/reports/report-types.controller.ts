import { Controller, Get, Param, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { RequireScope } from '../auth/index.js';
import { Config } from '../config.js';
import { Describe } from '../operations/describe.js';
import { Problem } from '../operations/problem.js';
import type { ReportTypeDescription } from './messages.js';
import { deprecationHeaders } from './report.representation.js';
import { describeReportType, listReportTypes } from './report-types.description.js';
import { ReportTypes } from './report-types.js';

/** What can be asked for. */
@Controller('v2/report-types')
export class ReportTypesController {
  constructor(
    private readonly types: ReportTypes,
    private readonly config: Config,
  ) {}

  @Get()
  @RequireScope('read:reports')
  @Describe(listReportTypes)
  list(): { data: readonly ReportTypeDescription[]; links: object } {
    return { data: this.types.all(), links: {} };
  }

  @Get(':type')
  @RequireScope('read:reports')
  @Describe(describeReportType)
  describe(
    @Param('type') type: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): { data: ReportTypeDescription; links: object } {
    const found = this.types.find(type);
    if (!found) throw new Problem('report-type-not-found', `Known types: ${this.known()}.`);
    void reply.headers(deprecationHeaders(found, this.config.publicUrl));
    return { data: found, links: { self: `${this.config.publicUrl}/v2/report-types/${type}` } };
  }

  private known(): string {
    return this.types
      .all()
      .map(({ type }) => type)
      .join(', ');
  }
}
