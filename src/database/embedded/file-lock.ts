import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';

const SQLITE_BUSY = 5;
const RETRY_MILLISECONDS = 20;

const EXCLUSIVE = 'BEGIN EXCLUSIVE';
const SHARED = 'BEGIN; SELECT count(*) FROM sqlite_schema';

export class LockNotFree extends Error {}

/**
 * A lock on a file, between processes. The operating system takes it back when its holder dies, however it dies. Node
 * has no call for such locks but carries SQLite, whose transactions take them, so the file is an empty SQLite database.
 */
export class FileLock {
  private constructor(private readonly holder: DatabaseSync) {}

  /** Waits until nobody else holds the file. Throws LockNotFree after `patience` milliseconds. */
  static exclusive(file: string, patience = 60_000): Promise<FileLock> {
    return take(file, EXCLUSIVE, patience).then((holder) => new FileLock(holder));
  }

  /** Any number of holders at once, none of them exclusive. */
  static shared(file: string, patience = 60_000): Promise<FileLock> {
    return take(file, SHARED, patience).then((holder) => new FileLock(holder));
  }

  /** The lock, or undefined when somebody else holds the file. */
  static ifFree(file: string): Promise<FileLock | undefined> {
    return FileLock.exclusive(file, 0).catch((error: unknown) => {
      if (error instanceof LockNotFree) return undefined;
      throw error;
    });
  }

  release(): void {
    this.holder.close();
  }
}

async function take(file: string, statement: string, patience: number): Promise<DatabaseSync> {
  const deadline = Date.now() + patience;
  const holder = new DatabaseSync(file, { timeout: 0 });
  for (;;) {
    try {
      holder.exec(statement);
      return holder;
    } catch (error) {
      if (holder.isTransaction) holder.exec('ROLLBACK');
      if ((error as { errcode?: number }).errcode === SQLITE_BUSY && Date.now() < deadline) {
        await pause(RETRY_MILLISECONDS);
        continue;
      }
      holder.close();
      if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error;
      throw new LockNotFree(`${file} is held by another process`, { cause: error });
    }
  }
}
