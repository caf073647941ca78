import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { Caller, type Principal, requireScope, RequireScope } from '../auth/index.js';
import { Config } from '../config.js';
import { Describe } from '../operations/describe.js';
import { cursorOf, nextPage, readPage } from '../operations/page.js';
import { Problem, ValidationProblem } from '../operations/problem.js';
import { availableFiles } from './download.js';
import { isTerminal } from './lifecycle.js';
import { type EvidenceCursor, ExplainRow, type ReportRecord, type RowRecord } from './messages.js';
import { ReportDesk } from './report-desk.js';
import { explainRow } from './row-records.description.js';
import { ReportTypes } from './report-types.js';

const ROW = /^[1-9][0-9]{0,14}$/;

/** The records behind a row of a report: 'which sale is that?' They are records, so the scope for records is needed too. */
@Controller('v2/report/:id/rows/:row/records')
export class RowRecordsController {
  constructor(
    private readonly desk: ReportDesk,
    private readonly queries: QueryBus,
    private readonly types: ReportTypes,
    private readonly config: Config,
  ) {}

  @Get()
  @RequireScope('read:reports')
  @Describe(explainRow)
  async explain(
    @Caller() principal: Principal,
    @Param('id') id: string,
    @Param('row') row: string,
    @Query() query: Record<string, unknown>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<unknown> {
    requireScope(principal, 'read:records');
    const record = await this.desk.find(principal, id);
    if (!isTerminal(record)) return this.desk.answer(record, reply.status(202));
    void reply.header('Cache-Control', 'no-store');
    availableFiles(record);
    return this.answer(record, row, query, reply);
  }

  private async answer(
    record: ReportRecord,
    row: string,
    query: Record<string, unknown>,
    reply: FastifyReply,
  ): Promise<string> {
    const { limit, after } = readPage(query, 2);
    const column = this.readColumn(record, query.column);
    if (!ROW.test(row)) throw rowNotFound();
    const question = new ExplainRow(record, Number(row), limit, column, after && readCursor(after));
    const explained = await this.queries.execute(question);
    if (explained === 'no such row') throw rowNotFound();
    if (explained === 'not said')
      throw new Problem(
        'row-not-explained',
        `${record.type} does not say which records are behind its rows.`,
      );
    if (explained === 'took too long')
      throw new Problem('explanation-too-long', 'Finding the records behind this row took too long.');
    const { rowType, cells, broughtForward, records, recordsPosition: now, next } = explained;
    const path = `/v2/report/${record.id}/rows/${row}/records`;
    const cursor = next && cursorOf([String(next.at), String(next.told)]);
    const about = {
      row: { number: Number(row), rowType, cells },
      broughtForward,
      records: positionOf(record, now),
      links: nextPage(reply, this.config, path, query, cursor),
    };
    void reply.type('application/json');
    return `{"data":[${records.map(asJson).join(',')}],${JSON.stringify(about).slice(1)}`;
  }

  private readColumn({ type }: ReportRecord, column: unknown): string | undefined {
    if (column === undefined) return undefined;
    const names = this.types.find(type)?.columns.map(({ name }) => name) ?? [];
    if (typeof column === 'string' && names.includes(column)) return column;
    throw new ValidationProblem([
      { pointer: '/column', detail: `column must be one of ${names.join(', ')}, given once.` },
    ]);
  }
}

/** Whether the records are still those that the report was made from. */
function positionOf({ manifest }: ReportRecord, now: string) {
  const reported = manifest?.recordsPosition ?? '';
  const notice =
    "The farm's records have changed since the report was made. These are the records as they are now: what they bring may differ from the row.";
  return {
    positionOfReport: reported,
    positionNow: now,
    changed: reported !== now,
    ...(reported !== now && { notice }),
  };
}

/** The record stands in the answer as it was imported, digit by digit. */
function asJson({ body, ...about }: RowRecord): string {
  const told = JSON.stringify(about);
  return body === undefined ? told : `${told.slice(0, -1)},"record":${body}}`;
}

function readCursor([at = '', told = '']: readonly string[]): EvidenceCursor {
  if (/^-?\d{1,15}$/.test(at) && /^\d{1,9}$/.test(told)) return { at: Number(at), told: Number(told) };
  throw new ValidationProblem([
    { pointer: '/cursor', detail: 'cursor must be the cursor of a page before, given once.' },
  ]);
}

function rowNotFound(): Problem {
  return new Problem('row-not-found', 'The report has no row of this number; they are counted from 1.');
}
