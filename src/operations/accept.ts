import Negotiator from 'negotiator';

/** Parameters of a media range other than its weight. */
const PARAMETER = /;[ \t]*(?!q=)[^\s;,="]+(?:=(?:"(?:[^"\\]|\\.)*"|[^;,"]*))?/gi;

/**
 * The one of some media types that an Accept header likes best, the first of those that it likes alike; undefined when it
 * takes none. Parameters do not tell types apart: who accepts `application/json; charset=utf-8` gets JSON. An empty header
 * is none.
 */
export function acceptedType(accept: string | undefined, types: readonly string[]): string | undefined {
  const ranges = accept?.replace(PARAMETER, '').trim() || undefined;
  return new Negotiator({ headers: { accept: ranges } }).mediaType([...types]);
}
