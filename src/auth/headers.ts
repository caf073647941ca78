import type { IncomingMessage } from 'node:http';

/** Every value a header was sent with. Node keeps only the first of some that are doubled, as `authorization`. */
export function headerLines({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>, name: string): string[] {
  return rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name);
}
