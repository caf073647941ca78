import { Controller, Get, Header } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Anonymous } from '../auth/index.js';
import { type Html, html } from '../operations/html.js';
import { Describe } from '../operations/describe.js';
import { ListReportTypes, type ReportTypeDescription } from '../reports/index.js';
import { readDeprecations } from './deprecation.description.js';

/** The page that says which report types go, when, and what to ask for instead. Who uses them is not told here. */
@Controller('docs/deprecations')
@Anonymous()
export class DeprecationsController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @Header('Content-Type', 'text/html; charset=utf-8')
  @Header('Cache-Control', 'public, max-age=3600')
  @Header('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
  @Describe(readDeprecations)
  async page(): Promise<string> {
    const types = await this.queries.execute(new ListReportTypes());
    const deprecated = types.filter((type) => type.deprecated);
    return `<!doctype html>\n${render(deprecated).text}`;
  }
}

const STYLE =
  'body { font: 1.125rem/1.6 system-ui, sans-serif; max-width: 60rem; margin: 3rem auto; padding: 0 1rem } ' +
  'table { border-collapse: collapse; width: 100% } th, td { text-align: left; padding: 0.3rem 1rem 0.3rem 0; border-bottom: 1px solid }';

function render(types: readonly ReportTypeDescription[]): Html {
  return html`<html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width" />
      <title>Deprecated report types · Muster</title>
      <style>
        ${STYLE}
      </style>
    </head>
    <body>
      <h1>Deprecated report types</h1>
      <p>
        A deprecated type makes what its successor makes, until its sunset at least. To see that for a farm of
        yours, send its period to <code>POST /v2/report-types/{type}/comparison</code>.
      </p>
      ${types.length === 0 ? html`<p>No report type is deprecated.</p>` : table(types)}
    </body>
  </html> `;
}

function table(types: readonly ReportTypeDescription[]): Html {
  return html`<table>
    <thead>
      <tr>
        <th scope="col">Type</th>
        <th scope="col">Ask for</th>
        <th scope="col">Deprecated since</th>
        <th scope="col">Sunset</th>
      </tr>
    </thead>
    <tbody>
      ${types.map(
        ({ type, replacedBy, deprecatedSince, sunset }) =>
          html`<tr>
            <td><code>${type}</code></td>
            <td><code>${replacedBy}</code></td>
            <td>${dayOf(deprecatedSince) ?? 'not said'}</td>
            <td>${dayOf(sunset) ?? 'not planned yet'}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

function dayOf(unixSeconds: number | undefined): string | undefined {
  return unixSeconds === undefined ? undefined : new Date(unixSeconds * 1000).toISOString().slice(0, 10);
}
