import { type Principal, reaches } from '../auth/index.js';
import type { EventStore, RecordedEvent } from '../event-store/index.js';
import { endsReport, type ReportEvent } from '../reports/index.js';
import { type Course, frameOf, type Outlet } from './course.js';
import type { Stretch } from './report-feed.js';

const PAGE = 100;

/** The life of one report, from the event after `version`; over when the report has ended. */
export class ReportCourse implements Course {
  readonly buckets: readonly number[];
  private missing = true;
  private ended = false;

  constructor(
    private readonly store: EventStore,
    private readonly report: {
      readonly bucket: number;
      readonly tenantId: string;
      readonly streamId: string;
    },
    private version: number,
  ) {
    this.buckets = [report.bucket];
  }

  get behind(): boolean {
    return this.missing;
  }

  get over(): boolean {
    return this.ended && !this.missing;
  }

  take({ events, after, through }: Stretch, outlet: Outlet): void {
    if (after === through) this.missing = true;
    for (const event of events) if (event.streamId === this.report.streamId) this.pass(event, outlet);
  }

  async readOn(outlet: Outlet): Promise<void> {
    this.missing = false;
    const events = await this.store.readOn(this.report, this.version, PAGE).catch((error: unknown) => {
      this.missing = true;
      throw error;
    });
    for (const event of events as RecordedEvent<ReportEvent>[]) this.pass(event, outlet);
    if (events.length === PAGE) this.missing = true;
  }

  mark(): undefined {
    return undefined;
  }

  allows(principal: Principal): boolean {
    return principal.scopes.has('read:reports') && reaches(principal, this.report.tenantId);
  }

  private pass(event: RecordedEvent<ReportEvent>, outlet: Outlet): void {
    if (event.version <= this.version) return;
    if (!outlet.open || event.version > this.version + 1) {
      this.missing = true;
      return;
    }
    this.version = event.version;
    outlet.send(frameOf(event, event.id));
    if (endsReport(event.event)) this.ended = true;
  }
}
