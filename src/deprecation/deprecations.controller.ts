import { Controller, Get, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { Anonymous } from '../auth/index.js';
import { type Html, html } from '../operations/html.js';
import { Describe } from '../operations/describe.js';
import { sendNote } from '../operations/note-page.js';
import { ListReportTypes, type ReportTypeDescription } from '../reports/index.js';
import { readDeprecations } from './deprecation.description.js';

/** The page that says which report types go, when, and what to ask for instead. Who uses them is not told here. */
@Controller('docs/deprecations')
@Anonymous()
export class DeprecationsController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @Describe(readDeprecations)
  async page(@Res() reply: FastifyReply): Promise<void> {
    const types = await this.queries.execute(new ListReportTypes());
    const text = describe(types.filter((type) => type.deprecated));
    sendNote(reply, { title: 'Deprecated report types', text, maxAge: 3_600 });
  }
}

function describe(types: readonly ReportTypeDescription[]): Html {
  return html`<p>
      A deprecated type makes what its successor makes, until its sunset at least. To see that for a farm of
      yours, send its period to <code>POST /v2/report-types/{type}/comparison</code>.
    </p>
    ${types.length === 0 ? html`<p>No report type is deprecated.</p>` : html`<dl>${types.map(entry)}</dl>`}`;
}

function entry({ type, replacedBy, deprecatedSince, sunset }: ReportTypeDescription): Html {
  return html`<dt><code>${type}</code></dt>
    <dd>
      Ask for <code>${replacedBy}</code> instead. Deprecated since: ${dayOf(deprecatedSince) ?? 'not said'}.
      Sunset: ${dayOf(sunset) ?? 'not planned yet'}.
    </dd>`;
}

function dayOf(unixSeconds: number | undefined): string | undefined {
  return unixSeconds === undefined ? undefined : new Date(unixSeconds * 1000).toISOString().slice(0, 10);
}
