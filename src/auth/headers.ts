import type { IncomingMessage } from 'node:http';

/** How often a header was sent. Node keeps only the first of some that are doubled, as `authorization`. */
export function timesSent({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>, name: string): number {
  return rawHeaders.filter((header, index) => index % 2 === 0 && header.toLowerCase() === name).length;
}
