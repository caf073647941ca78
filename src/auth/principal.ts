/** What a caller may do: `read:reports`, `write:reports`, `read:records`, `write:records` (http-api 6). */
export type Scope = 'read:reports' | 'write:reports' | 'read:records' | 'write:records';

export const SCOPES: readonly Scope[] = ['read:reports', 'write:reports', 'read:records', 'write:records'];

/** Who calls, as every module sees it: the intersection of the credentials that were sent. */
export interface Principal {
  /** Stable name of the credential, such as `api-key:ak_…` or `client:…/person:…`; safe to store and to log. */
  readonly id: string;
  readonly scopes: ReadonlySet<Scope>;
  /** Farms within reach; 'all' for an operator's system. */
  readonly farms: ReadonlySet<string> | 'all';
}

export function reaches(principal: Principal, farmId: string): boolean {
  return principal.farms === 'all' || principal.farms.has(farmId);
}

/** What two credentials sent together allow: only what both allow. */
export function intersect(one: Principal, other: Principal): Principal {
  const farms =
    one.farms === 'all'
      ? other.farms
      : other.farms === 'all'
        ? one.farms
        : one.farms.intersection(other.farms);
  return { id: `${one.id}+${other.id}`, scopes: new Set(one.scopes).intersection(other.scopes), farms };
}
