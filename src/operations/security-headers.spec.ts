import { expect, it } from '@jest/globals';
import { securityHeaders } from './security-headers.js';

it('a service behind TLS asks browsers to come by TLS alone; one without could not be reached again', () => {
  expect(securityHeaders('https://muster.example')).toHaveProperty('Strict-Transport-Security');
  expect(securityHeaders('http://localhost:3000')).not.toHaveProperty('Strict-Transport-Security');
  expect(securityHeaders(undefined)).not.toHaveProperty('Strict-Transport-Security');
});
