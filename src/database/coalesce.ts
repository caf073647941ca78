/**
 * Lets callers who ask for the same key at the same time share one load. A caller never joins a load that
 * began before it asked, so it sees everything that was committed before: it joins the next one.
 */
export function coalesce<Key, Value>(
  load: (key: Key) => Promise<Value>,
  name: (key: Key) => string,
): (key: Key) => Promise<Value> {
  const running = new Map<string, Promise<unknown>>();
  const waiting = new Map<string, Promise<Value>>();

  const start = (key: Key, id: string): Promise<Value> => {
    const loading = load(key).finally(() => running.delete(id));
    running.set(id, loading);
    return loading;
  };

  return (key) => {
    const id = name(key);
    const queued = waiting.get(id);
    if (queued) return queued;
    const before = running.get(id);
    if (!before) return start(key, id);
    const next = before.then(noop, noop).then(() => (waiting.delete(id), start(key, id)));
    waiting.set(id, next);
    return next;
  };
}

function noop(): void {
  // Whoever asked for the load before hears of its failure.
}
