import { CommandBus, CommandHandler, type ICommandHandler, QueryBus } from '@nestjs/cqrs';
import {
  type Caller,
  FindNewestReport,
  ListReportTypes,
  OpenReportContent,
  type ReportColumnDescription,
  type ReportRecord,
  type ReportRequest,
  type ReportTypeDescription,
  RequestReport,
} from '../reports/index.js';
import { type ComparedRow, compareRows } from './compare-rows.js';
import {
  type ColumnDifferences,
  ComparedReportFailed,
  type ComparedReports,
  CompareWithReplacement,
  type Comparison,
  type ComparisonPending,
  NotDeprecated,
  UnknownType,
} from './messages.js';

/** Rows as lines, ids among them, and without the name of the type. */
const FORMAT = 'ndjson';

/** A failure is an answer for as long as a completed report would be reused: asking again must not make reports without end. */
const FAILURE_STANDS_MS = 3_600_000;

@CommandHandler(CompareWithReplacement)
export class CompareWithReplacementHandler implements ICommandHandler<CompareWithReplacement> {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  async execute({ caller, request, limit }: CompareWithReplacement): Promise<Comparison | ComparisonPending> {
    const [deprecated, replacement] = await this.typesOf(request.type);
    const names = { type: deprecated.type, replacedBy: replacement.type };
    const reports = await this.reportsOf(caller, request, replacement.type);
    if (!reports.ready) return { status: 'pending', ...names, reports: reports.of };
    const columns = columnDifferences(deprecated.columns, replacement.columns);
    const compared = await this.compare(reports.of, deprecated, columns, limit);
    const { rows } = compared;
    const same =
      Object.values(columns).flat().length === 0 &&
      rows.changed + rows.onlyDeprecated + rows.onlyReplacement === 0;
    return { status: 'compared', ...names, same, columns, ...compared, reports: reports.of };
  }

  private async typesOf(type: string): Promise<[ReportTypeDescription, ReportTypeDescription]> {
    const types = await this.queries.execute(new ListReportTypes());
    const deprecated = types.find((one) => one.type === type);
    if (!deprecated) throw new UnknownType(`There is no report type ${type}.`);
    const replacement = types.find((one) => one.type === deprecated.replacedBy);
    if (!replacement)
      throw new NotDeprecated(`${type} is not deprecated; there is nothing to compare it with.`);
    return [deprecated, replacement];
  }

  /** Ready when both are made of the same records; one that stands on older records than the other is asked for anew. */
  private async reportsOf(
    caller: Caller,
    request: ReportRequest,
    replacedBy: string,
  ): Promise<{ ready: boolean; of: ComparedReports }> {
    const of = {
      deprecated: await this.ask(caller, request),
      replacement: await this.ask(caller, { ...request, type: replacedBy }),
    };
    const [left, right] = [positionOf(of.deprecated), positionOf(of.replacement)];
    if (left === undefined || right === undefined) return { ready: false, of };
    if (left === right) return { ready: true, of };
    if (left < right) of.deprecated = await this.ask(caller, request, 'no-cache');
    else of.replacement = await this.ask(caller, { ...request, type: replacedBy }, 'no-cache');
    return { ready: false, of };
  }

  private async ask(caller: Caller, request: ReportRequest, cacheControl?: string): Promise<ReportRecord> {
    const now = Date.now();
    const newest = await this.queries.execute(new FindNewestReport(caller.principal, request));
    if (newest?.status === 'failed' && now - newest.lastModifiedDate < FAILURE_STANDS_MS)
      throw failureOf(newest);
    const asked = await this.commands.execute(new RequestReport(caller, request, now, cacheControl));
    return asked.record;
  }

  private async compare(
    { deprecated, replacement }: ComparedReports,
    { columns }: ReportTypeDescription,
    { onlyDeprecated }: ColumnDifferences,
    limit: number,
  ): Promise<Pick<Comparison, 'rows' | 'differences'>> {
    const shared = columns.map(({ name }) => name).filter((name) => !onlyDeprecated.includes(name));
    const [left, right] = await Promise.all([this.open(deprecated), this.open(replacement)]);
    return compareRows(left, right, ['row_type', ...shared], limit);
  }

  private async open({ id, attempt = 0 }: ReportRecord): Promise<AsyncIterable<ComparedRow>> {
    return rowsIn(await this.queries.execute(new OpenReportContent(id, attempt, FORMAT)));
  }
}

/** Lines end with a newline and nothing else: texts may hold any other separator. */
async function* rowsIn(content: AsyncIterable<Buffer>): AsyncIterable<ComparedRow> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of content) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield JSON.parse(line) as ComparedRow;
  }
}

/** Of the farm's records, once the report is made. */
function positionOf(report: ReportRecord): bigint | undefined {
  const { status, manifest } = report;
  if (status === 'completed' && manifest) return BigInt(manifest.recordsPosition);
  if (status === 'pending' || status === 'processing') return undefined;
  throw failureOf(report);
}

function failureOf({ id, type, status, failureReason }: ReportRecord): ComparedReportFailed {
  const reason = failureReason === undefined ? '' : `: ${failureReason}`;
  return new ComparedReportFailed(
    `The ${type} report ${id} is ${status}${reason}. Create that report anew to have it tried again.`,
  );
}

function columnDifferences(
  deprecated: readonly ReportColumnDescription[],
  replacement: readonly ReportColumnDescription[],
): ColumnDifferences {
  const [left, right] = [byName(deprecated), byName(replacement)];
  return {
    onlyDeprecated: [...left.keys()].filter((name) => !right.has(name)),
    onlyReplacement: [...right.keys()].filter((name) => !left.has(name)),
    changed: [...left].flatMap(([name, { type, unit }]) => {
      const other = right.get(name);
      return other && (other.type !== type || other.unit !== unit) ? [name] : [];
    }),
  };
}

function byName(columns: readonly ReportColumnDescription[]): Map<string, ReportColumnDescription> {
  return new Map(columns.map((column) => [column.name, column]));
}
