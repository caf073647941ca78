import { once } from 'node:events';
import { fork } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

export const CLIENT = { id: 'bench', secret: 'a-secret-of-the-bench-that-is-long-enough' };

/** A process of oidc-provider that keeps everything in memory, with a refresh token for each chain. */
export async function startOidcProvider(
  chains: number,
): Promise<{ url: string; tokens: string[]; stop(): Promise<void> }> {
  const child = fork(new URL(import.meta.url), {
    env: { ...process.env, OIDC_CHAINS: String(chains) },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const [{ url, tokens }] = (await once(child, 'message')) as [{ url: string; tokens: string[] }];
  const stop = async (): Promise<void> => {
    child.kill();
    await once(child, 'exit');
  };
  return { url, tokens, stop };
}

if (process.env['OIDC_CHAINS'] && process.send) {
  const provider = new Provider('http://127.0.0.1', {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        grant_types: ['authorization_code', 'refresh_token'],
        redirect_uris: ['https://app.example/callback'],
        token_endpoint_auth_method: 'client_secret_basic',
      },
    ],
    scopes: ['offline_access', 'read:reports'],
    rotateRefreshToken: true,
    features: { devInteractions: { enabled: false } },
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
  });
  const client = await provider.Client.find(CLIENT.id);
  if (!client) throw new Error('no client');
  const tokens = [];
  for (let chain = 0; chain < Number(process.env['OIDC_CHAINS']); chain++) {
    const grant = new provider.Grant({ accountId: 'farmer', clientId: CLIENT.id });
    grant.addOIDCScope('offline_access read:reports');
    const grantId = await grant.save();
    const token = new provider.RefreshToken({
      accountId: 'farmer',
      client,
      grantId,
      scope: 'offline_access read:reports',
      gty: 'authorization_code',
      authTime: Math.floor(Date.now() / 1000),
      claims: {},
      resource: undefined,
      sessionUid: 'session',
      expiresWithSession: false,
    } as never);
    tokens.push(await token.save());
  }
  const server = provider.listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.send({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`, tokens });
}
