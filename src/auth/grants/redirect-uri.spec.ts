import { describe, expect, it } from '@jest/globals';
import { isRegistered, mayRegister } from './redirect-uri.js';

describe('an address', () => {
  it.each([
    'https://app.example/cb',
    'https://app.example/cb?tenant=1',
    'http://127.0.0.1/cb',
    'http://127.0.0.1:8080/cb',
    'http://[::1]/cb',
    'http://localhost:3000',
    'au.example.app:/oauth',
  ])('%s may be registered', (uri) => {
    expect(mayRegister(uri)).toBe(true);
  });

  it.each([
    'http://app.example/cb',
    'https://app.example/cb#part',
    'https://user:pass@app.example/cb',
    'https://user@app.example/cb',
    'http://127.0.0.1@evil.example/cb',
    'http://127.0.0.1:1@evil.example/cb',
    'http://localhost.evil.example/cb',
    'javascript:alert(1)',
    'data:text/html,x',
    'app:/cb',
    '/cb',
    'https://app.example/c b',
    'https:app.example',
    `https://app.example/${'x'.repeat(2048)}`,
  ])('%s may not', (uri) => {
    expect(mayRegister(uri)).toBe(false);
  });
});

describe('a redirect_uri', () => {
  it('matches as a string', () => {
    expect(isRegistered('https://app.example/cb', ['https://app.example/cb'])).toBe(true);
    for (const near of [
      'https://app.example/cb/',
      'https://app.example/CB',
      'https://app.example:443/cb',
      'https://app.example/cb?x=1',
    ]) {
      expect(isRegistered(near, ['https://app.example/cb'])).toBe(false);
    }
  });

  it('on loopback matches at any port, and nothing else of it may differ', () => {
    const registered = ['http://127.0.0.1/cb'];
    expect(isRegistered('http://127.0.0.1:49152/cb', registered)).toBe(true);
    for (const near of [
      'http://127.0.0.1:49152/other',
      'http://localhost:49152/cb',
      'http://127.0.0.1:1@evil.example/cb',
      'https://127.0.0.1:49152/cb',
      'http://127.0.0.1:99999/cb',
    ]) {
      expect(isRegistered(near, registered)).toBe(false);
    }
  });
});
