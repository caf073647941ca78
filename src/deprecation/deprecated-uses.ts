import type { OnModuleInit } from '@nestjs/common';
import { type IQueryHandler, QueryBus, QueryHandler } from '@nestjs/cqrs';
import { Database, type Sql } from '../database/database.js';
import { EVERY_BUCKET, type EventPlace, EventStore, type Statement } from '../event-store/index.js';
import { ListReportTypes, type ReportEvent, type ReportReused, saysDeprecated } from '../reports/index.js';
import { type DeprecatedUse, type Deprecation, ListDeprecations } from './messages.js';

/** Counts who asks for deprecated types, as a read model of the reports' events: durable, and shared by all processes. */
@QueryHandler(ListDeprecations)
export class DeprecatedUses implements IQueryHandler<ListDeprecations>, OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly store: EventStore,
    private readonly queries: QueryBus,
  ) {}

  onModuleInit(): void {
    const types = ['ReportRequested', 'ReportReused'] as const;
    this.store.readModel<ReportEvent>({ name: 'deprecated-use', types, project, reset });
  }

  async execute(): Promise<Deprecation[]> {
    const types = await this.queries.execute(new ListReportTypes());
    const uses = await this.usesByType();
    return types.flatMap(({ type, title, replacedBy, deprecatedSince, sunset }) => {
      if (replacedBy === undefined) return [];
      const clients = uses.get(type) ?? [];
      return {
        type,
        title,
        replacedBy,
        ...(deprecatedSince !== undefined && { deprecatedSince }),
        ...(sunset !== undefined && { sunset }),
        uses: clients.reduce((sum, client) => sum + client.uses, 0),
        clients,
      };
    });
  }

  private async usesByType(): Promise<Map<string, DeprecatedUse[]>> {
    const { rows } = await this.database.query<UseRow>(
      `SELECT type, client, sum(uses) AS uses, max(last_used_at) AS last_used_at FROM deprecated_use WHERE bucket = ANY($1)
        GROUP BY type, client ORDER BY type, last_used_at DESC, client`,
      [EVERY_BUCKET],
    );
    const byType = Map.groupBy(rows, ({ type }) => type);
    return new Map([...byType].map(([type, of]) => [type, of.map(toUse)]));
  }
}

interface UseRow {
  type: string;
  client: string;
  uses: string;
  last_used_at: string;
}

function toUse({ client, uses, last_used_at }: UseRow): DeprecatedUse {
  return { client, uses: Number(uses), lastUsedAt: Number(last_used_at) };
}

const COUNTED = `ON CONFLICT (bucket, type, client) DO UPDATE
  SET uses = known.uses + excluded.uses, last_used_at = greatest(known.last_used_at, excluded.last_used_at)`;

function project(event: ReportEvent, { stream: { bucket, streamId } }: EventPlace): Statement[] {
  if (event.type === 'ReportReused') return [countReuse(event, bucket, streamId)];
  if (event.type !== 'ReportRequested' || !saysDeprecated(event)) return [];
  const { request, requestedBy, at } = event;
  return [
    {
      name: 'deprecated-report-remember',
      text: 'INSERT INTO deprecated_report (bucket, report_id, type) VALUES ($1, $2, $3)',
      values: [bucket, streamId, request.type],
    },
    {
      name: 'deprecated-use-count',
      text: `INSERT INTO deprecated_use AS known (bucket, type, client, uses, last_used_at)
             VALUES ($1, $2, $3, 1, $4) ${COUNTED}`,
      values: [bucket, request.type, clientOf(requestedBy), at],
    },
  ];
}

/** Counts nothing for a report of a current type. */
function countReuse({ by, count, at }: ReportReused, bucket: number, reportId: string): Statement {
  return {
    name: 'deprecated-reuse-count',
    text: `INSERT INTO deprecated_use AS known (bucket, type, client, uses, last_used_at)
           SELECT bucket, type, $3, $4::bigint, $5::bigint FROM deprecated_report WHERE bucket = $1 AND report_id = $2
           ${COUNTED}`,
    values: [bucket, reportId, clientOf(by), count, at],
  };
}

/** The application, whoever the person is that it acts for. */
function clientOf(credential: string): string {
  return credential.replaceAll(/\/person:[^+]*/g, '');
}

async function reset(tx: Sql, bucket: number): Promise<void> {
  await tx.query('DELETE FROM deprecated_use WHERE bucket = $1', [bucket]);
  await tx.query('DELETE FROM deprecated_report WHERE bucket = $1', [bucket]);
}
