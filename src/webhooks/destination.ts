import ipaddr from 'ipaddr.js';

/** Where messages may be sent. */
export interface DestinationRules {
  /** Plain http too. */
  readonly plainHttp: boolean;
  /** Addresses that are not public too: private, loopback, link-local, shared, multicast, reserved. */
  readonly privateAddresses: boolean;
}

const LONGEST_URL = 2048;
/** All that is assigned to the public of IPv6 lies here (RFC 4291). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
/** Public by its range, and yet a cloud's own service to its guests. */
const PUBLIC_METADATA = ['168.63.129.16'];

/** The address as it will be called, or why it cannot be: `text` was given by a stranger. */
export function readDestination(
  text: string,
  rules: DestinationRules,
): { readonly url: string } | { readonly refused: string } {
  const url = text.length <= LONGEST_URL ? URL.parse(text) : null;
  if (!url) return { refused: `it must be an absolute URL of up to ${LONGEST_URL} characters` };
  if (url.protocol !== 'https:' && !(rules.plainHttp && url.protocol === 'http:'))
    return {
      refused: rules.plainHttp ? 'it must begin with https:// or http://' : 'it must begin with https://',
    };
  if (url.username !== '' || url.password !== '') return { refused: 'it must not hold a user or password' };
  if (url.hash !== '') return { refused: 'it must not have a fragment' };
  const address = literalAddress(url);
  const unfit = address !== undefined && !mayConnect(address, rules);
  return unfit || (isLocalName(url.hostname) && !rules.privateAddresses)
    ? { refused: 'it must lead to a public address' }
    : { url: url.href };
}

/** The address that a URL spells out in place of a name. */
export function literalAddress({ hostname }: URL): string | undefined {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1');
  return ipaddr.isValid(bare) ? bare : undefined;
}

/** Whether a connection to this address is allowed. Whatever cannot be read as an address is not. */
export function mayConnect(address: string, { privateAddresses }: DestinationRules): boolean {
  return ipaddr.isValid(address) && (privateAddresses || isPublic(ipaddr.process(address)));
}

/** `process` has turned an IPv4 address in the clothes of IPv6 into what it is. */
function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== 'unicast') return false;
  if (address.kind() === 'ipv4') return !PUBLIC_METADATA.includes(address.toString());
  return (address as ipaddr.IPv6).match(GLOBAL_UNICAST);
}

function isLocalName(hostname: string): boolean {
  return /(^|\.)localhost\.?$/i.test(hostname);
}
