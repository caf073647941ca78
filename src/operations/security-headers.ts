/**
 * What every answer tells browsers (OWASP Secure Headers): to load nothing, frame nothing, pass no address on and guess no
 * type. Pages that need more say so themselves. HSTS where the service is reached by TLS.
 */
export function securityHeaders(publicUrl: string | undefined): Readonly<Record<string, string>> {
  return {
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'X-Permitted-Cross-Domain-Policies': 'none',
    ...(publicUrl?.startsWith('https://') && { 'Strict-Transport-Security': 'max-age=31536000' }),
  };
}
