import type { Credential, Report, ReportRequest } from './client.js';

/** The command lines that do again what the demo did; they can be pasted into a POSIX shell. */
export function curlToAsk(url: string, credential: Credential, request: ReportRequest): string {
  const body = `-H 'content-type: application/json' -d ${quoted(JSON.stringify(request))}`;
  return `curl -s ${quoted(`${url}/v2/report`)} ${headersOf(credential)} ${body}`;
}

export function curlToDownload(credential: Credential, { links }: Report): string {
  return `curl -s ${quoted(links.download)} ${headersOf(credential)} -H 'accept: text/csv'`;
}

export function curlToGet(address: string, credential: Credential): string {
  return `curl -s ${quoted(address)} ${headersOf(credential)}`;
}

function headersOf(credential: Credential): string {
  return Object.entries(credential)
    .map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`)
    .join(' ');
}

/** One word of a POSIX shell. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
