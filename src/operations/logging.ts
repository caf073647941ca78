import { hash } from 'node:crypto';
import type { LoggerService } from '@nestjs/common';
import { type Logger, pino } from 'pino';
import type { Config } from '../config.js';
import { traceIdOf, workContext } from './work-context.js';

const CREDENTIALS = [
  'authorization',
  'x-api-key',
  'cookie',
  'set-cookie',
  'password',
  'secret',
  'client_secret',
  'apiKey',
  'code',
  'refresh_token',
  'access_token',
];

/** JSON log lines on standard error; whatever a caller authenticates with is redacted. */
export function createLog(config: Pick<Config, 'LOG_LEVEL'>): Logger {
  return pino(
    {
      level: config.LOG_LEVEL,
      base: { pid: process.pid },
      mixin: workAtHand,
      redact: {
        paths: CREDENTIALS.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]),
        censor: '[redacted]',
      },
      serializers: { err: describeError, farmId: hashed },
    },
    pino.destination({ fd: 2, sync: false }),
  );
}

/** Which request, report and trace a line belongs to. */
function workAtHand(): object {
  const { requestId, reportId, traceparent } = workContext.getStore() ?? {};
  const traceId = traceIdOf(traceparent);
  return { ...(requestId && { requestId }), ...(reportId && { reportId }), ...(traceId && { traceId }) };
}

/** Lines about one farm can be told together without naming it. */
function hashed(farmId: unknown): string {
  return hash('sha256', String(farmId), 'hex').slice(0, 12);
}

/** An error without the parameters of the statement that raised it. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as { code?: unknown };
  return {
    type: error.name,
    message: error.message,
    // Not `code`, which is redacted wherever it stands.
    ...(typeof code === 'string' && { errorCode: code }),
    stack: error.stack,
  };
}

/** What Nest says of its own start, which an operator need not read. */
const FRAMEWORK = new Set([
  'InstanceLoader',
  'NestApplication',
  'NestFactory',
  'RouterExplorer',
  'RoutesResolver',
]);

type Level = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace';

/** Nest's log calls, on pino: `logger.warn({ farm }, 'message')` or `logger.warn('message')`. */
export class NestLog implements LoggerService {
  constructor(private readonly pino: Logger) {}

  readonly log = this.at('info');
  readonly fatal = this.at('fatal');
  readonly error = this.at('error');
  readonly warn = this.at('warn');
  readonly debug = this.at('debug');
  readonly verbose = this.at('trace');

  private at(level: Level): (message: unknown, ...rest: unknown[]) => void {
    return (message, ...rest) => {
      const texts = [message, ...rest].filter((part) => typeof part === 'string');
      const text = texts[0] ?? (message instanceof Error ? message.message : '');
      const context = texts.length > 1 ? texts.at(-1) : undefined;
      const quiet = level === 'info' && FRAMEWORK.has(context ?? '');
      this.pino[quiet ? 'debug' : level]({ ...dataOf(message), ...(context && { context }) }, text);
    };
  }
}

function dataOf(message: unknown): object {
  if (message instanceof Error) return { err: message };
  return typeof message === 'object' && message !== null ? message : {};
}
