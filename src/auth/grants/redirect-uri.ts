const LOOPBACK = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(?::\d{1,5})?(?=[/?]|$)/;
const PRIVATE_USE = /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:\//;

/** Whether an address may be registered: https, a loopback address, or a private-use scheme such as `au.example.app:/` (RFC 8252). */
export function mayRegister(uri: string): boolean {
  if (uri.length > 2048 || !/^[\x21-\x7e]+$/.test(uri) || uri.includes('#') || !URL.canParse(uri))
    return false;
  const { protocol, username, password } = new URL(uri);
  if (username || password) return false;
  return (protocol === 'https:' && uri.startsWith('https://')) || LOOPBACK.test(uri) || PRIVATE_USE.test(uri);
}

/**
 * Whether a redirect_uri is a registered one: identical as a string, but that an application on a person's own machine
 * takes the port it is given (RFC 8252 7.3).
 */
export function isRegistered(uri: string, registered: readonly string[]): boolean {
  if (registered.includes(uri)) return true;
  const anyPort = withoutPort(uri);
  return anyPort !== undefined && registered.some((candidate) => withoutPort(candidate) === anyPort);
}

function withoutPort(uri: string): string | undefined {
  const host = LOOPBACK.exec(uri);
  return host && mayRegister(uri) ? `http://${host[1]}${uri.slice(host[0].length)}` : undefined;
}
