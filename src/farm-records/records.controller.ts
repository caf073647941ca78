import type { Readable } from 'node:stream';
import { Body, Controller, Get, Headers, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyReply } from 'fastify';
import { Caller, type Principal, RequireScope } from '../auth/index.js';
import { Config } from '../config.js';
import type { BodyConfig } from '../operations/http.js';
import { Problem, ValidationProblem } from '../operations/problem.js';
import { readCsv } from './csv/index.js';
import { farmNotFound, requireReach, toProblem } from './farm-records.problems.js';
import { readJson, readNdjson } from './import-items.js';
import type { ImportSummary } from './import-tally.js';
import { FindFarm, ImportRecords, ListRecords } from './messages.js';
import { cursorOf, nextPage, readPage } from '../operations/page.js';
import { Describe } from '../operations/describe.js';
import { importRecords, listRecords } from './farm-records.description.js';

/** A JSON body is held in memory; larger imports are sent as NDJSON, which is streamed. */
const JSON_LIMIT = 64 * 1024 * 1024;
/** The most items of a JSON body that are answered one by one. */
const ITEMISED = 1_000;
const BODY: BodyConfig = { rawBody: true, streamed: true, bodyLimit: JSON_LIMIT };

/** A farm's records (http-api 10). */
@Controller('v2/farms/:farmId/records')
export class RecordsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly config: Config,
  ) {}

  @Post()
  @HttpCode(200)
  @RouteConfig(BODY)
  @RequireScope('write:records')
  @Describe(importRecords)
  async import(
    @Caller() principal: Principal,
    @Param('farmId') farmId: string,
    @Body() body: Buffer | Readable | undefined,
    @Headers('content-type') contentType = '',
  ): Promise<{ data: ImportSummary }> {
    requireReach(principal, farmId);
    const records = /^text\/csv\b/i.test(contentType)
      ? await this.toCsvImport(farmId, body)
      : toImport(farmId, body);
    return { data: await this.commands.execute(records).catch(toProblem) };
  }

  @Get()
  @RequireScope('read:records')
  @Describe(listRecords)
  async list(
    @Caller() principal: Principal,
    @Param('farmId') farmId: string,
    @Query() query: Record<string, unknown>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    requireReach(principal, farmId);
    const { limit, after } = readPage(query, 2);
    const cursor = after && { source: after[0] ?? '', sourceId: after[1] ?? '' };
    const { records, next } = await this.queries.execute(
      new ListRecords(farmId, limit, cursor, readType(query.resourceType)),
    );
    if (records.length === 0 && !(await this.queries.execute(new FindFarm(farmId)))) throw farmNotFound();
    const path = `/v2/farms/${encodeURIComponent(farmId)}/records`;
    const links = nextPage(reply, this.config, path, query, next && cursorOf([next.source, next.sourceId]));
    void reply.type('application/json').header('Cache-Control', 'no-store');
    return `{"data":[${records.join(',')}],"links":${JSON.stringify(links)}}`;
  }

  private async toCsvImport(farmId: string, body: Buffer | Readable | undefined): Promise<ImportRecords> {
    const farm = await this.queries.execute(new FindFarm(farmId));
    if (!farm) throw farmNotFound();
    return new ImportRecords(farmId, readCsv(body as Readable, farm));
  }
}

function toImport(farmId: string, body: Buffer | Readable | undefined): ImportRecords {
  if (!body || (Buffer.isBuffer(body) && body.length === 0)) {
    throw new Problem(
      'malformed-json',
      'The body is empty: send JSON, NDJSON as application/x-ndjson, or CSV as text/csv.',
    );
  }
  if (!Buffer.isBuffer(body)) return new ImportRecords(farmId, readNdjson(body));
  try {
    const items = readJson(body);
    return new ImportRecords(farmId, [items], items.length <= ITEMISED);
  } catch (error) {
    return toProblem(error);
  }
}

function readType(value: unknown): string | undefined {
  if (value === undefined || (typeof value === 'string' && !value.includes('\0'))) return value;
  throw new ValidationProblem([
    { pointer: '/resourceType', detail: 'resourceType must be a resource type, given once.' },
  ]);
}
