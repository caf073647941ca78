/** Seconds that a caller may have its answer wait for the end of a report. */
export const LONGEST_WAIT = 60;

const TOKEN = /[!#$%&'*+.^_`|~0-9A-Za-z-]+/y;
const QUOTED = /"((?:[\t \x21\x23-\x5b\x5d-\x7e\x80-\xff]|\\[\t \x21-\x7e\x80-\xff])*)"/y;

/** A preference without its parameters. */
interface Preference {
  readonly name: string;
  readonly value: string;
}

/**
 * The seconds of `Prefer: wait=…` (RFC 7240, 4.3), at most LONGEST_WAIT; undefined when nothing that can be read asks for
 * it. Preferences are wishes: what is malformed is passed over, and of a repeated one the first counts.
 */
export function preferredWait(header: string | undefined): number | undefined {
  const wait = readPreferences(header ?? '').find(({ name }) => name === 'wait');
  if (!wait || !/^\d+$/.test(wait.value)) return undefined;
  return Math.min(Number(wait.value), LONGEST_WAIT);
}

/** `token [ BWS "=" BWS word ] *( OWS ";" [ OWS parameter ] )`, comma-separated; reading ends where the syntax does. */
function readPreferences(text: string): Preference[] {
  const found: Preference[] = [];
  let at = 0;
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const matched = pattern.exec(text);
    if (matched) at = pattern.lastIndex;
    return matched;
  };
  const word = (): string | undefined => {
    const quoted = match(QUOTED);
    return quoted ? quoted[1]?.replace(/\\(.)/g, '$1') : match(TOKEN)?.[0];
  };
  const pair = (): Preference | undefined => {
    const name = match(TOKEN)?.[0];
    if (name === undefined) return undefined;
    const value = match(/[ \t]*=[ \t]*/y) ? word() : '';
    return value === undefined ? undefined : { name: name.toLowerCase(), value };
  };
  for (;;) {
    match(/[ \t,]*/y);
    const preference = pair();
    if (!preference) return found;
    while (match(/[ \t]*;[ \t]*/y)) pair();
    if (!/^[ \t]*(,|$)/.test(text.slice(at))) return found;
    found.push(preference);
  }
}
