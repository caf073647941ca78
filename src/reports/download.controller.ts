import { pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { Controller, Get, Headers, Param, Query, Req, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { Caller, type Principal, RequireScope } from '../auth/index.js';
import { Config } from '../config.js';
import { Describe } from '../operations/describe.js';
import { availableFiles, fileName, MEDIA_TYPES, negotiateFormat, readRange } from './download.js';
import { downloadReport } from './download.description.js';
import { isTerminal } from './lifecycle.js';
import { type ByteRange, OpenReportContent, type ReportRecord } from './messages.js';
import { ReportDesk } from './report-desk.js';
import { deprecationHeaders, matchesETag, requireMatch } from './report.representation.js';
import type { ReportFile } from './report.js';
import { ReportTypes } from './report-types.js';
import { ReportUses } from './report-uses.js';

/** `links.download` (http-api 4, 5). A Content-Type on the request, as a known client sends it, means nothing. */
@Controller('v2/report/:id/download')
export class DownloadController {
  constructor(
    private readonly desk: ReportDesk,
    private readonly queries: QueryBus,
    private readonly types: ReportTypes,
    private readonly uses: ReportUses,
    private readonly config: Config,
  ) {}

  @Get()
  @RequireScope('read:reports')
  @Describe(downloadReport)
  async download(
    @Caller() principal: Principal,
    @Param('id') id: string,
    @Query('format') format: unknown,
    @Headers() headers: Record<string, string | undefined>,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const record = await this.desk.fetch(principal, id, headers.prefer, reply);
    if (!isTerminal(record)) return reply.status(202).send(await this.desk.answer(record, reply));
    void reply.headers(deprecationHeaders(this.types.find(record.type), this.config.publicUrl));
    const file = negotiateFormat(format, headers.accept, availableFiles(record));
    // Ranges are of GET alone (RFC 9110, 14.2).
    const asked = request.method === 'HEAD' ? undefined : headers.range;
    const gzip = asked === undefined && acceptsGzip(request);
    // Each encoding has its own.
    const etag = gzip ? `"${file.sha256}-gzip"` : `"${file.sha256}"`;
    requireMatch(headers['if-match'], etag);
    const known = matchesETag(headers['if-none-match'], etag);
    const range = known ? undefined : readRange(asked, headers['if-range'], etag, file.bytes);
    describe(record, file, gzip, etag, reply);
    if (known) return reply.status(304).send();
    describePart(file, range, gzip, reply);
    if (request.method === 'HEAD') return reply.send(Readable.from([]));
    const content = new OpenReportContent(record.id, record.attempt ?? 0, file.format, range);
    const bytes = Readable.from(await this.queries.execute(content), { objectMode: false });
    await this.uses.noteDownload({ principal, requestId: request.id }, id, file.format);
    await reply.send(gzip ? pipeline(bytes, createGzip(), ignoreFailure) : bytes);
  }
}

function acceptsGzip(request: FastifyRequest): boolean {
  return new Negotiator(request.raw).encoding(['identity', 'gzip']) === 'gzip';
}

/** Sets the headers that a 304 has too. */
function describe(
  record: ReportRecord,
  file: ReportFile,
  gzip: boolean,
  etag: string,
  reply: FastifyReply,
): void {
  const sha256 = Buffer.from(file.sha256, 'hex').toString('base64');
  void reply.headers({
    'Content-Type': MEDIA_TYPES[file.format] ?? 'application/octet-stream',
    'Content-Disposition': `attachment; filename="${fileName(record, file.format)}"`,
    ETag: etag,
    'Cache-Control': 'private, no-cache',
    Vary: 'Accept, Accept-Encoding',
    'Accept-Ranges': 'bytes',
    ...(!gzip && { 'Repr-Digest': `sha-256=:${sha256}:` }),
  });
}

/** The length of compressed content is not known before it is sent. */
function describePart(
  file: ReportFile,
  range: ByteRange | undefined,
  gzip: boolean,
  reply: FastifyReply,
): void {
  if (gzip) void reply.header('Content-Encoding', 'gzip');
  else void reply.header('Content-Length', String(range ? range.end - range.start : file.bytes));
  if (range)
    void reply.status(206).header('Content-Range', `bytes ${range.start}-${range.end - 1}/${file.bytes}`);
}

function ignoreFailure(): void {
  // The answer has begun when content fails to stream; Fastify then cuts the connection, which the caller notices.
}
