/**
 * PostgreSQL conditions, and those of its connection, that pass by themselves: `08…` lost, `53…` out of resources, `57P…` shut
 * down, `57014` took longer than it may.
 */
const CODES = /^(ECONN\w+|EPIPE|ENOENT|ETIMEDOUT|EAI_AGAIN|08\w{3}|53\w{3}|57P\d\d|57014|25006|40001|40P01)$/;
const MESSAGES =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error)/;

/** Whether the same request may succeed in a moment, because the database is away or busy. */
export function isPassing(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  const { code } = thrown as { code?: unknown };
  if (thrown instanceof AggregateError) return thrown.errors.some(isPassing);
  return (typeof code === 'string' && CODES.test(code)) || MESSAGES.test(thrown.message);
}
