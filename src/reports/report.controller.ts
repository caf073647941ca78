import { Body, Controller, Delete, Get, Headers, Param, Post, Query, Req, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Caller as CallingPrincipal, type Principal, RequireScope } from '../auth/index.js';
import { Config } from '../config.js';
import { Describe } from '../operations/describe.js';
import { nextPage } from '../operations/page.js';
import { Problem } from '../operations/problem.js';
import { readCreateReport } from './create-report.body.js';
import { IDEMPOTENCY_KEY } from './idempotency.js';
import { encodeCursor, readListQuery } from './list-query.js';
import { CancelReport, ListReports, type ReportRecord, RequestReport } from './messages.js';
import { ReportDesk } from './report-desk.js';
import { cancelReport, createReport, listReports, readReport } from './report.description.js';
import { toProblem } from './report.problems.js';
import { etagOf, linksOf, matchesETag, type ReportAnswer, requireMatch } from './report.representation.js';
import { ReportTypes } from './report-types.js';

/** Reports as callers see them (http-api 4). */
@Controller('v2/report')
export class ReportController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly desk: ReportDesk,
    private readonly types: ReportTypes,
    private readonly config: Config,
  ) {}

  @Post()
  @RequireScope('write:reports')
  @Describe(createReport)
  async create(
    @CallingPrincipal() principal: Principal,
    @Body() body: unknown,
    @Headers('cache-control') cacheControl: string | undefined,
    @Headers('idempotency-key') idempotencyKey: string | undefined,
    @Headers('prefer') prefer: string | undefined,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ReportAnswer> {
    const asked = readCreateReport(
      body,
      this.types.all().map(({ type }) => type),
    );
    const key = readIdempotencyKey(idempotencyKey);
    const command = new RequestReport(
      { principal, requestId: request.id },
      asked,
      Date.now(),
      cacheControl,
      key,
    );
    const { record, created, cacheStatus, ageSeconds } = await this.commands
      .execute(command)
      .catch(toProblem);
    const links = linksOf(record, this.config.publicUrl);
    void reply
      .status(created ? 201 : 200)
      .header(created ? 'Location' : 'Content-Location', links.self)
      .header('Cache-Status', cacheStatus)
      .headers(ageSeconds === undefined ? {} : { Age: String(ageSeconds) });
    return this.desk.answer(await this.desk.patiently(principal, record, prefer, reply), reply, created);
  }

  @Get()
  @RequireScope('read:reports')
  @Describe(listReports)
  async list(
    @CallingPrincipal() principal: Principal,
    @Query() query: Record<string, unknown>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<{ data: readonly ReportRecord[]; links: { next?: string } }> {
    const { filter, limit, after } = readListQuery(query);
    const { records, more } = await this.queries.execute(new ListReports(principal, filter, limit, after));
    void reply.header('Cache-Control', 'no-store');
    const last = more ? records.at(-1) : undefined;
    const cursor = last && encodeCursor(last);
    return { data: records, links: nextPage(reply, this.config, '/v2/report', query, cursor) };
  }

  @Get(':id')
  @RequireScope('read:reports')
  @Describe(readReport)
  async read(
    @CallingPrincipal() principal: Principal,
    @Param('id') id: string,
    @Headers('if-match') ifMatch: string | undefined,
    @Headers('if-none-match') ifNoneMatch: string | undefined,
    @Headers('prefer') prefer: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ReportAnswer | undefined> {
    const answer = await this.desk.answer(await this.desk.fetch(principal, id, prefer, reply), reply);
    const etag = etagOf(answer);
    requireMatch(ifMatch, etag);
    void reply.header('ETag', etag).header('Cache-Control', 'private, no-cache');
    if (!matchesETag(ifNoneMatch, etag)) return answer;
    void reply.status(304);
    return undefined;
  }

  @Delete(':id')
  @RequireScope('write:reports')
  @Describe(cancelReport)
  async cancel(
    @CallingPrincipal() principal: Principal,
    @Param('id') id: string,
    @Headers('if-match') ifMatch: string | undefined,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ReportAnswer> {
    const record = await this.desk.find(principal, id);
    if (ifMatch !== undefined) requireMatch(ifMatch, etagOf(await this.desk.answer(record, reply)));
    const command = new CancelReport({ principal, requestId: request.id }, id);
    return this.desk.answer(await this.commands.execute(command).catch(toProblem), reply);
  }
}

function readIdempotencyKey(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (IDEMPOTENCY_KEY.test(header)) return header;
  throw new Problem('invalid-idempotency-key', 'Send 1 to 255 visible ASCII characters.');
}
