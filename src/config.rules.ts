import { isIP } from 'node:net';
import { isURL } from 'class-validator';

// Rules of single settings. What is not set breaks none of them; whether it may be absent is said where it stands.

const LOOPBACK_ADDRESS = /^http:\/\/(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?(\/|$)/;

/** 32 random bytes hold some 30 different ones; what somebody wrote by hand or filled in holds few. */
const DIFFERENT_BYTES = 20;

/** Links and the OAuth issuer are made by adding to it. */
export function isBaseAddress(url: unknown): boolean {
  if (url === undefined) return true;
  if (!isURL(url as string, { require_tld: false, protocols: ['http', 'https'], require_protocol: true }))
    return false;
  const { username, search, hash } = new URL(url as string);
  return username === '' && search === '' && hash === '';
}

/** Nobody on the way can read along. */
export function isSafeBase(url: unknown): boolean {
  return typeof url === 'string' && (url.startsWith('https://') || LOOPBACK_ADDRESS.test(url));
}

/** Whether a driver can read it. */
export function isDatabaseAddress(url: unknown): boolean {
  return url === undefined || partsOf(url) !== undefined;
}

/** Whether the address of a database holds no password that can be guessed; one without any is let in by other means. */
export function isGuarded(url: unknown, { NODE_ENV }: { readonly NODE_ENV: string }): boolean {
  const parts = partsOf(url);
  if (NODE_ENV !== 'production' || parts === undefined) return true;
  const password = parts.searchParams.get('password') ?? parts.password;
  if (password === '') return true;
  return password.length >= 12 && password !== parts.username && !/^(.{1,8})\1+$/.test(password);
}

export function loginOf(url: unknown): string | undefined {
  return partsOf(url)?.username;
}

export function areNetworks(list: unknown): boolean {
  return String(list)
    .split(',')
    .every((network) => {
      const [, address = '', bits] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(network) ?? [];
      const family = isIP(address);
      return family !== 0 && (bits === undefined || Number(bits) <= (family === 4 ? 32 : 128));
    });
}

export function areRandom(peppers: unknown): boolean {
  const keys = entriesOf(peppers).map(([, key = '']) => Buffer.from(key, 'base64'));
  return keys.every((key) => new Set(key).size >= DIFFERENT_BYTES);
}

/** No key hides another of its name. */
export function areDistinct(peppers: unknown): boolean {
  const names = entriesOf(peppers).map(([name]) => name);
  return new Set(names).size === names.length;
}

function entriesOf(peppers: unknown): string[][] {
  return typeof peppers === 'string' ? peppers.split(',').map((entry) => entry.split(':')) : [];
}

function partsOf(url: unknown): URL | undefined {
  if (typeof url !== 'string' || !URL.canParse(url)) return undefined;
  const parts = new URL(url);
  return [parts.username, parts.password, parts.pathname].every(isPercentEncoded) ? parts : undefined;
}

function isPercentEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
