import { Controller, Get, Headers, Param, Req, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Caller, Identify, type Principal, RequireScope } from '../auth/index.js';
import { EventStore } from '../event-store/index.js';
import { acceptedType } from '../operations/accept.js';
import { Describe } from '../operations/describe.js';
import { Problem } from '../operations/problem.js';
import {
  bucketOfReport,
  endsReport,
  FindReport,
  ReadReportEvents,
  type ReportEvent,
  reportNotFound,
} from '../reports/index.js';
import { followReports, readReportEvents } from './events.description.js';
import { bucketsOf, FarmsCourse } from './farms-course.js';
import { OpenStreams } from './open-streams.js';
import { ReportCourse } from './report-course.js';
import { ReportFeed } from './report-feed.js';
import { StreamPosition } from './stream-position.js';

const STREAM = 'text/event-stream';

/** What happens to reports, as a list or as server-sent events (HTML Standard, 9.2). */
@Controller('v2')
export class EventsController {
  constructor(
    private readonly queries: QueryBus,
    private readonly store: EventStore,
    private readonly feed: ReportFeed,
    private readonly streams: OpenStreams,
  ) {}

  /** One report's life. The stream closes after the report has ended; a client that comes back for more gets 204 and stops. */
  @Get('report/:id/events')
  @RequireScope('read:reports')
  @Describe(readReportEvents)
  async ofReport(
    @Caller() principal: Principal,
    @Identify() identify: () => Promise<Principal>,
    @Param('id') id: string,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    void reply.headers({ 'Cache-Control': 'no-store', Vary: 'Accept' });
    const accepted = acceptedType(request.headers.accept, ['application/json', STREAM]);
    if (accepted === undefined) throw notAcceptable(`application/json, ${STREAM}`);
    if (accepted !== STREAM) return this.list(principal, id, reply);
    this.streams.requireRoom(principal.id);
    const record = await this.queries.execute(new FindReport(principal, id));
    const bucket = bucketOfReport(id);
    if (!record || bucket === undefined) throw reportNotFound();
    if (request.method === 'HEAD') return headOnly(reply);
    const report = { bucket, tenantId: record.tenantId, streamId: id };
    const history = await this.store.read(report);
    const last = history.find((event) => event.id === eventIdOf(lastEventId));
    const end = history.find(({ event }) => endsReport(event as ReportEvent));
    if (last && end && last.version >= end.version) return reply.status(204).send();
    const course = new ReportCourse(this.store, report, last?.version ?? 0);
    this.streams.open(reply, course, { principal, identify });
  }

  /** All reports on the caller's farms, from now on or from where an earlier connection stopped. */
  @Get('events')
  @RequireScope('read:reports')
  @Describe(followReports)
  async ofFarms(
    @Caller() principal: Principal,
    @Identify() identify: () => Promise<Principal>,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    void reply.header('Cache-Control', 'no-store');
    if (acceptedType(request.headers.accept, [STREAM]) === undefined) throw notAcceptable(STREAM);
    this.streams.requireRoom(principal.id);
    const buckets = bucketsOf(principal);
    const heads = await this.store.heads(buckets);
    const from = await this.whereItStopped(lastEventId, buckets);
    const begin = [...heads].map(([bucket, head]) => {
      const come = from?.get(bucket) ?? -1;
      if (come > Number(head)) throw unknownEvent();
      return [bucket, come < 0 ? Number(head) : come] as const;
    });
    const position = StreamPosition.of(begin);
    if (request.method === 'HEAD') return headOnly(reply);
    const course = new FarmsCourse(this.feed, principal, buckets, position, heads);
    this.streams.open(reply, course, { principal, identify });
  }

  private async list(principal: Principal, id: string, reply: FastifyReply): Promise<void> {
    const events = await this.queries.execute(new ReadReportEvents(principal, id));
    if (!events) throw reportNotFound();
    await reply.send({ data: events, links: {} });
  }

  /** Throws 400 for what is no id of this stream: starting from now would lose events in silence. */
  private async whereItStopped(
    lastEventId: string | undefined,
    buckets: readonly number[],
  ): Promise<StreamPosition | undefined> {
    if (lastEventId === undefined || lastEventId === '') return undefined;
    const [, eventId = '', position] = /^([0-9a-f-]{36})?(?:~([\w-]*))?$/.exec(lastEventId) ?? [];
    if (position !== undefined) return StreamPosition.read(position) ?? refuse();
    const [only, ...others] = buckets;
    if (only === undefined || others.length > 0) return refuse();
    const at = UUID.test(eventId) ? await this.store.locate(only, 'report', eventId) : undefined;
    if (at === undefined) return refuse();
    return StreamPosition.of([[only, Number(at)]]);
  }
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The event in an id of either stream. */
function eventIdOf(lastEventId: string | undefined): string | undefined {
  return lastEventId?.split('~', 1)[0];
}

async function headOnly(reply: FastifyReply): Promise<void> {
  await reply.type(STREAM).send();
}

function refuse(): never {
  throw unknownEvent();
}

function unknownEvent(): Problem {
  return new Problem('unknown-event', 'Last-Event-ID is no id that this stream has sent.');
}

function notAcceptable(offered: string): Problem {
  return new Problem('not-acceptable', `The events can be had as ${offered}.`);
}
