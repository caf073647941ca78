import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The user that the server's programs run as. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/**
 * PostgreSQL refuses to run as root. Root hands it to the owner of the cluster when there is one, else to `nobody`.
 * Undefined: this process is not root and the programs run as its own user.
 */
export async function serverAccount(cluster: string): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const owner = await stat(cluster).catch(() => undefined);
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  return { uid: await idOfNobody('-u'), gid: await idOfNobody('-g') };
}

/** Whether the account may enter the folder, asked of the system itself: modes, ACLs and every folder above it count. */
export async function canEnter(folder: string, account: Account | undefined): Promise<boolean> {
  if (!account) return true;
  return run('/bin/sh', ['-c', 'cd -- "$1"', 'sh', folder], { ...account, cwd: '/' }).then(
    () => true,
    () => false,
  );
}

async function idOfNobody(option: '-u' | '-g'): Promise<number> {
  return Number((await run('id', [option, 'nobody'])).stdout);
}
