import { setImmediate as othersHaveAsked } from 'node:timers/promises';

/**
 * Lets callers who ask for the same key at the same time share one load. A caller never joins a load that
 * began before it asked, so it sees everything that was committed before: it joins the next one. A load begins
 * once everybody whose request lay ready together with the first one's has asked.
 */
export function coalesce<Key, Value>(
  load: (key: Key) => Promise<Value>,
  name: (key: Key) => string,
): (key: Key) => Promise<Value> {
  const running = new Map<string, Promise<unknown>>();
  const waiting = new Map<string, Promise<Value>>();

  const next = async (key: Key, id: string): Promise<Value> => {
    await Promise.allSettled([running.get(id), othersHaveAsked()]);
    waiting.delete(id);
    const loading = load(key).finally(() => running.delete(id));
    running.set(id, loading);
    return loading;
  };

  return (key) => {
    const id = name(key);
    const joined = waiting.get(id) ?? next(key, id);
    waiting.set(id, joined);
    return joined;
  };
}
