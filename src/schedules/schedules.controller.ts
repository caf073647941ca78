import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { Caller, type Principal, RequireScope } from '../auth/index.js';
import { Config } from '../config.js';
import { Describe } from '../operations/describe.js';
import { cursorOf, nextPage, readPage } from '../operations/page.js';
import { Problem, ValidationProblem } from '../operations/problem.js';
import { readBody, sentFields } from '../operations/read-body.js';
import { deprecationHeaders, ListReportTypes } from '../reports/index.js';
import {
  ChangeReportSchedule,
  CreateReportSchedule,
  FarmNotReached,
  FindReportSchedule,
  ListReportSchedules,
  ListScheduleRuns,
  RemoveReportSchedule,
  TooManySchedules,
  UnknownReportType,
} from './messages.js';
import type { ReportSchedule, ScheduleRun } from './schedule.js';
import {
  changeReportSchedule,
  createReportSchedule,
  listReportSchedules,
  listScheduleRuns,
  readReportSchedule,
  removeReportSchedule,
} from './schedules.description.js';
import { ChangeScheduleBody, CreateScheduleBody } from './schedule.bodies.js';

type ShownSchedule = Omit<ReportSchedule, 'activeSince'>;

export interface ScheduleAnswer {
  readonly data: ShownSchedule;
  readonly links: { readonly self: string; readonly runs: string };
}

/** Reports that recur, on the farms that the caller reaches. */
@Controller('v2/report-schedules')
export class SchedulesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly config: Config,
  ) {}

  @Post()
  @Describe(createReportSchedule)
  @RequireScope('write:reports')
  async create(
    @Caller() principal: Principal,
    @Body() body: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ScheduleAnswer> {
    const given = readBody(CreateScheduleBody, body, 'a JSON object that says what to make, and when');
    const { type, tenantId, every, daysAfter = 1, at = '06:00', enabled = true } = given;
    const settings = { type, tenantId, every, daysAfter, at, enabled };
    const command = new CreateReportSchedule(principal, settings, Date.now());
    const answer = await this.answer(await this.commands.execute(command).catch(toProblem), reply);
    void reply.header('Location', answer.links.self);
    return answer;
  }

  @Get()
  @Describe(listReportSchedules)
  @RequireScope('read:reports')
  async list(
    @Caller() principal: Principal,
    @Query() query: Record<string, unknown>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<{ data: readonly ShownSchedule[]; links: { next?: string } }> {
    const { limit, after = [''] } = readPage(query, 1);
    const command = new ListReportSchedules(principal, limit + 1, after[0], readTenantId(query.tenantId));
    const schedules = await this.queries.execute(command);
    const data = schedules.slice(0, limit);
    const last = schedules.length > limit ? data.at(-1) : undefined;
    void reply.header('Cache-Control', 'no-store');
    const links = nextPage(reply, this.config, '/v2/report-schedules', query, last && cursorOf([last.id]));
    return { data: data.map(shown), links };
  }

  @Get(':id')
  @Describe(readReportSchedule)
  @RequireScope('read:reports')
  async read(
    @Caller() principal: Principal,
    @Param('id') id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ScheduleAnswer> {
    return this.answer(await this.queries.execute(new FindReportSchedule(principal, id)), reply);
  }

  @Patch(':id')
  @Describe(changeReportSchedule)
  @RequireScope('write:reports')
  async change(
    @Caller() principal: Principal,
    @Param('id') id: string,
    @Body() body: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ScheduleAnswer> {
    const given = readBody(ChangeScheduleBody, body, 'a JSON object with what is to change');
    const command = new ChangeReportSchedule(principal, id, sentFields(given), Date.now());
    return this.answer(await this.commands.execute(command), reply);
  }

  @Delete(':id')
  @HttpCode(204)
  @Describe(removeReportSchedule)
  @RequireScope('write:reports')
  async remove(@Caller() principal: Principal, @Param('id') id: string): Promise<void> {
    if (!(await this.commands.execute(new RemoveReportSchedule(principal, id)))) throw scheduleNotFound();
  }

  @Get(':id/runs')
  @Describe(listScheduleRuns)
  @RequireScope('read:reports')
  async runs(
    @Caller() principal: Principal,
    @Param('id') id: string,
    @Query() query: Record<string, unknown>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<{ data: readonly ScheduleRun[]; links: { next?: string } }> {
    const { limit, after } = readPage(query, 2);
    const before = after && readCursor(after);
    const runs = await this.queries.execute(new ListScheduleRuns(principal, id, limit + 1, before));
    if (!runs) throw scheduleNotFound();
    const data = runs.slice(0, limit);
    const last = runs.length > limit ? data.at(-1) : undefined;
    const cursor = last && cursorOf([String(last.runDate), last.period.start]);
    void reply.header('Cache-Control', 'no-store');
    const path = `/v2/report-schedules/${id}/runs`;
    return { data, links: nextPage(reply, this.config, path, query, cursor) };
  }

  private async answer(schedule: ReportSchedule | undefined, reply: FastifyReply): Promise<ScheduleAnswer> {
    if (!schedule) throw scheduleNotFound();
    const { publicUrl } = this.config;
    const types = await this.queries.execute(new ListReportTypes());
    const type = types.find((known) => known.type === schedule.type);
    void reply.headers({ 'Cache-Control': 'no-store', ...deprecationHeaders(type, publicUrl) });
    const self = `${publicUrl}/v2/report-schedules/${schedule.id}`;
    return { data: shown(schedule), links: { self, runs: `${self}/runs` } };
  }
}

function shown({ activeSince: _, ...schedule }: ReportSchedule): ShownSchedule {
  return schedule;
}

function readTenantId(value: unknown): string | undefined {
  if (value === undefined || (typeof value === 'string' && value !== '' && !value.includes('\0')))
    return value;
  throw new ValidationProblem([
    { pointer: '/tenantId', detail: 'tenantId must be the id of a farm, given once.' },
  ]);
}

function readCursor([runDate = '', start = '']: readonly string[]): [number, string] {
  if (/^\d{1,15}$/.test(runDate)) return [Number(runDate), start];
  const detail = 'cursor must be the cursor of a page before, given once.';
  throw new ValidationProblem([{ pointer: '/cursor', detail }]);
}

function scheduleNotFound(): Problem {
  return new Problem(
    'report-schedule-not-found',
    'There is no schedule with this id on a farm that your credential reaches.',
  );
}

function toProblem(error: unknown): never {
  if (error instanceof FarmNotReached)
    throw new Problem('farm-not-accessible', 'There is no such farm, or your credential does not reach it.');
  if (error instanceof UnknownReportType) {
    const detail = `type is not a report type. Known types: ${error.known.join(', ')}.`;
    throw new ValidationProblem([{ pointer: '/type', detail }]);
  }
  if (error instanceof TooManySchedules)
    throw new Problem('too-many-report-schedules', `A farm has up to ${error.most} schedules.`);
  throw error;
}
