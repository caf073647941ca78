const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/;

/** The scopes a string lists (RFC 6749 3.3), each once; undefined when it is malformed. */
function parseScope(scope: string): readonly string[] | undefined {
  return SCOPE.test(scope) ? [...new Set(scope.split(' '))] : undefined;
}

/** What is asked for of what there is, all of it by default; undefined when that is malformed or goes beyond. */
export function narrow(
  available: readonly string[],
  asked: string | undefined,
): readonly string[] | undefined {
  if (asked === undefined) return available;
  const scopes = parseScope(asked);
  return scopes?.every((scope) => available.includes(scope)) ? scopes : undefined;
}
