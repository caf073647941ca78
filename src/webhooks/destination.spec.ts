import { describe, expect, it } from '@jest/globals';
import { mayConnect, readDestination } from './destination.js';

const strict = { plainHttp: false, privateAddresses: false };
const open = { plainHttp: true, privateAddresses: true };

describe('an address that messages may not go to', () => {
  it.each([
    ['loopback', '127.0.0.1'],
    ['the rest of loopback', '127.255.0.9'],
    ['this host', '0.0.0.0'],
    ['private, 10', '10.1.2.3'],
    ['private, 172.16', '172.31.255.255'],
    ['private, 192.168', '192.168.0.1'],
    ['shared by carriers', '100.64.0.1'],
    ['the metadata of one cloud, shared by carriers', '100.100.100.200'],
    ['link-local, where clouds keep their metadata', '169.254.169.254'],
    ['public, and yet the metadata of a cloud', '168.63.129.16'],
    ['multicast', '224.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['reserved', '240.0.0.1'],
    ['for documentation', '203.0.113.7'],
    ['for benchmarks', '198.18.0.1'],
    ['loopback of IPv6', '::1'],
    ['unspecified of IPv6', '::'],
    ['loopback as IPv4 in IPv6', '::ffff:127.0.0.1'],
    ['private as IPv4 in IPv6, in hex', '::ffff:a00:1'],
    ['loopback in the old form of IPv4 in IPv6', '::127.0.0.1'],
    ['translated to IPv4', '64:ff9b::7f00:1'],
    ['translated locally', '64:ff9b:1::1'],
    ['tunnelled to a private address', '2002:a00:1::'],
    ['Teredo', '2001:0:a00:1::'],
    ['unique local', 'fd00:ec2::254'],
    ['link-local of IPv6', 'fe80::1'],
    ['link-local with its zone', 'fe80::1%eth0'],
    ['site-local', 'fec0::1'],
    ['multicast of IPv6', 'ff02::1'],
    ['for documentation of IPv6', '2001:db8::1'],
    ['of no range that is assigned', '4000::1'],
    ['no address', 'localhost'],
    ['nothing', ''],
  ])('%s: %s', (_, address) => {
    expect(mayConnect(address, strict)).toBe(false);
  });
});

it.each(['93.184.215.14', '1.1.1.1', '2606:2800:21f:cb07:6820:80da:af6b:8b2c', '::ffff:1.1.1.1'])(
  'messages may go to %s',
  (address) => {
    expect(mayConnect(address, strict)).toBe(true);
  },
);

it('everything that is an address may be called where the operator allows it', () => {
  expect(['127.0.0.1', '::1', '10.0.0.1'].map((address) => mayConnect(address, open))).toEqual([
    true,
    true,
    true,
  ]);
});

describe('the url of an endpoint', () => {
  it.each([
    ['https://example.com/hooks?tenant=1', 'https://example.com/hooks?tenant=1'],
    ['HTTPS://Example.com', 'https://example.com/'],
    ['https://例え.jp/x', 'https://xn--r8jz45g.jp/x'],
    ['https://1.1.1.1:8443/', 'https://1.1.1.1:8443/'],
  ])('%s is called as %s', (given, url) => {
    expect(readDestination(given, strict)).toEqual({ url });
  });

  it.each([
    ['plain http', 'http://example.com/', 'https://'],
    ['no URL', 'example.com/hooks', 'absolute URL'],
    ['another scheme', 'file:///etc/passwd', 'https://'],
    ['a user', 'https://me@example.com/', 'user or password'],
    ['a password', 'https://:secret@example.com/', 'user or password'],
    ['a fragment', 'https://example.com/#here', 'fragment'],
    ['too long', `https://example.com/${'x'.repeat(2050)}`, '2048'],
    ['loopback', 'https://127.0.0.1/', 'public'],
    ['loopback as one number', 'https://2130706433/', 'public'],
    ['loopback in hex', 'https://0x7f.1/', 'public'],
    ['loopback in octal', 'https://0177.0.0.1/', 'public'],
    ['loopback of IPv6', 'https://[::1]/', 'public'],
    ['loopback as IPv4 in IPv6', 'https://[::ffff:127.0.0.1]/', 'public'],
    ['a name for loopback', 'https://localhost:3000/', 'public'],
    ['a name under localhost', 'https://api.localhost./', 'public'],
    ['a cloud’s metadata', 'https://169.254.169.254/latest/meta-data', 'public'],
  ])('is refused with %s', (_, given, because) => {
    expect(readDestination(given, strict)).toEqual({ refused: expect.stringContaining(because) });
  });

  it('may be plain http on this machine where the operator allows both', () => {
    expect(readDestination('http://localhost:8080/', open)).toEqual({ url: 'http://localhost:8080/' });
    expect(readDestination('ftp://localhost/', open)).toEqual({
      refused: expect.stringContaining('http://'),
    });
  });
});
