import type { Report, ReportRequest } from '../../client/index.js';

/** The header by which a command line proves who it is. */
export type Pasted = Readonly<Record<string, string>>;

/** The command lines that do again what the demo did; they can be pasted into a POSIX shell. */
export function curlToAsk(url: string, credential: Pasted, request: ReportRequest): string {
  const body = `-H 'content-type: application/json' -d ${quoted(JSON.stringify(request))}`;
  return `curl -s ${quoted(`${url}/v2/report`)} ${headersOf(credential)} ${body}`;
}

export function curlToDownload(credential: Pasted, { links }: Report): string {
  return `curl -s ${quoted(links.download)} ${headersOf(credential)} -H 'accept: text/csv'`;
}

export function curlToGet(address: string, credential: Pasted): string {
  return `curl -s ${quoted(address)} ${headersOf(credential)}`;
}

function headersOf(credential: Pasted): string {
  return Object.entries(credential)
    .map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`)
    .join(' ');
}

/** One word of a POSIX shell. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
