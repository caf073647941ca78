import type { Principal } from '../auth/index.js';
import type { RecordedEvent } from '../event-store/index.js';
import { lifecycleEvent, type ReportEvent } from '../reports/index.js';
import type { Stretch } from './report-feed.js';

/** Where frames go. Once it is no longer open nothing may be sent: what is left is read again later. */
export interface Outlet {
  readonly open: boolean;
  send(frame: string): void;
}

/** Which events a stream carries and how far it has come. Every event is sent once and in the order of its bucket. */
export interface Course {
  readonly buckets: readonly number[];
  /** Something is missing that `take` could not send. */
  readonly behind: boolean;
  /** Everything has been sent that ever will be. */
  readonly over: boolean;
  /** Sends what is new of a stretch, or takes note that it must be read. */
  take(stretch: Stretch, outlet: Outlet): void;
  /** Reads on from the store and sends a page of what is missing. */
  readOn(outlet: Outlet): Promise<void>;
  /** An id to resume from although no event is sent with it; undefined when the last one sent will do. */
  mark(): string | undefined;
  /** Whether its caller may still see what it carries. */
  allows(principal: Principal): boolean;
}

const bodies = new WeakMap<RecordedEvent, string>();
const lastFrames = new WeakMap<RecordedEvent, { readonly id: string; readonly frame: string }>();

/** An event as a frame of text/event-stream. Many streams send the same event under the same id: it is written once. */
export function frameOf(recorded: RecordedEvent<ReportEvent>, id: string): string {
  const last = lastFrames.get(recorded);
  if (last?.id === id) return last.frame;
  let body = bodies.get(recorded);
  if (body === undefined) {
    body = `event: ${recorded.event.type}\ndata: ${JSON.stringify(lifecycleEvent(recorded))}\n\n`;
    bodies.set(recorded, body);
  }
  const frame = `id: ${id}\n${body}`;
  lastFrames.set(recorded, { id, frame });
  return frame;
}
