import { type Credentials, Muster, type ReportRequest, type ReportType } from '../../client/index.js';
import type { Pasted } from './curl.js';
import { curlToAsk, curlToDownload, curlToGet } from './curl.js';
import { reportText } from './report-table.js';
import { SAMPLE_FARM, SAMPLE_FARM_ID, SAMPLE_PERIOD, sampleFarmRecords } from './sample-farm.js';
import { showcaseOf } from './showcase.js';
import type { Tell } from './tell.js';

export interface Walk {
  readonly url: string;
  /** What the application uses. */
  readonly credentials: Credentials;
  /** What the printed command lines use. */
  readonly pasted: Pasted;
  /** Characters of a line. */
  readonly width: number;
  readonly tell: Tell;
}

/** Brings the sample farm and its records in, as a farm system would. What is there already stays as it is. */
export async function bringFarmIn({ url, credentials, pasted, tell }: Walk): Promise<void> {
  const records = sampleFarmRecords();
  const muster = new Muster({ url, ...credentials });
  await muster.saveFarm(SAMPLE_FARM_ID, SAMPLE_FARM);
  const summary = await muster.importRecords(SAMPLE_FARM_ID, records);
  const [bad] = summary.errors;
  if (bad)
    throw new Error(
      `The sample farm has a bad record: item ${bad.index ?? '?'} ${bad.pointer}: ${bad.detail}`,
    );
  const { accepted, replaced, unchanged, rejected } = summary;
  tell(
    { event: 'imported', farm: SAMPLE_FARM_ID, accepted, replaced, unchanged, rejected },
    [
      `## ${SAMPLE_FARM.name}`,
      '',
      `${records.length} records of two financial years were imported: ${accepted} new, ${unchanged} there already. Read them back:`,
      '',
      `  ${curlToGet(`${url}/v2/farms/${SAMPLE_FARM_ID}/records?limit=20`, pasted)}`,
      '',
    ].join('\n'),
  );
}

/** Creates every report type that is offered and not deprecated, and shows each as it comes. */
export async function showReports(walk: Walk): Promise<void> {
  const muster = new Muster({ url: walk.url, ...walk.credentials });
  const types = (await muster.reportTypes()).filter(({ deprecated }) => !deprecated);
  const asked = types.map((type) => showReport(walk, muster, type));
  for (const show of await Promise.all(asked)) show();
}

/** Makes one report; the answer tells of it. */
async function showReport(walk: Walk, muster: Muster, type: ReportType): Promise<() => void> {
  const request = requestFor(type);
  const begun = performance.now();
  const report = await muster.wait(await muster.create(request));
  const took = Math.round(performance.now() - begun);
  const csv = await (await muster.download(report)).text();
  const content = await muster.download(report, { format: 'json' });
  const { warnings } = (await content.json()) as { warnings: readonly string[] };
  const { id } = report.data;
  return () =>
    walk.tell(
      {
        event: 'report',
        type: type.type,
        id,
        reused: report.reused,
        milliseconds: took,
        csvBytes: Buffer.byteLength(csv),
      },
      [
        `## ${type.title} (${type.type})`,
        '',
        showcaseOf(type.type, [], type.description).look,
        `${report.reused ? 'Reused from the last hour' : `Made in ${took} ms`}; ${SAMPLE_PERIOD.start} to ${SAMPLE_PERIOD.end}.`,
        '',
        reportText(type, csv, walk.width),
        '',
        ...warnings.map((warning) => `  Note: ${warning}`),
        ...(warnings.length > 0 ? [''] : []),
        `  ${curlToAsk(walk.url, walk.pasted, request)}`,
        `  ${curlToDownload(walk.pasted, report)}`,
        '',
      ].join('\n'),
    );
}

/** The period as known clients send it: the farm's midnight of its first and of its last day. */
function requestFor({ type }: ReportType): ReportRequest {
  const midnight = (day: string): number =>
    Temporal.PlainDate.from(day).toZonedDateTime(SAMPLE_FARM.timeZone).epochMilliseconds;
  return {
    type,
    tenantType: 'farm',
    tenantId: SAMPLE_FARM_ID,
    reportingPeriodStart: midnight(SAMPLE_PERIOD.start),
    reportingPeriodEnd: midnight(SAMPLE_PERIOD.end),
  };
}
