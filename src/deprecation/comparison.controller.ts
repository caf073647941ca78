import { Body, Controller, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Caller, type Principal, RequireScope, requireScope } from '../auth/index.js';
import { Config } from '../config.js';
import { Describe } from '../operations/describe.js';
import { deprecationHeaders, ListReportTypes, readCreateReport } from '../reports/index.js';
import { compareReports } from './deprecation.description.js';
import { toComparisonProblem } from './deprecation.problems.js';
import { CompareWithReplacement, type Comparison, type ComparisonPending } from './messages.js';

const SHOWN = 100;
const RETRY_AFTER = '1';

export interface ComparisonAnswer {
  readonly data: Comparison | ComparisonPending;
  readonly links: { readonly deprecated: string; readonly replacement: string };
}

/** A deprecated type against its replacement, on the caller's own farm. Asking again is safe: the reports are reused. */
@Controller('v2/report-types/:type/comparison')
export class ComparisonController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly config: Config,
  ) {}

  @Post()
  @HttpCode(200)
  @RequireScope('write:reports')
  @Describe(compareReports)
  async compare(
    @Caller() principal: Principal,
    @Param('type') type: string,
    @Body() body: unknown,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ComparisonAnswer> {
    requireScope(principal, 'read:reports');
    const asked = readCreateReport({ ...(body as object), type }, [type]);
    const command = new CompareWithReplacement({ principal, requestId: request.id }, asked, SHOWN);
    const data = await this.commands.execute(command).catch(toComparisonProblem);
    const types = await this.queries.execute(new ListReportTypes());
    const deprecated = types.find((one) => one.type === type);
    void reply.headers({
      'Cache-Control': 'no-store',
      ...deprecationHeaders(deprecated, this.config.publicUrl),
    });
    if (data.status === 'pending') void reply.status(202).header('Retry-After', RETRY_AFTER);
    const link = (id: string) => `${this.config.publicUrl}/v2/report/${id}`;
    const { reports } = data;
    return {
      data,
      links: { deprecated: link(reports.deprecated.id), replacement: link(reports.replacement.id) },
    };
  }
}
