// What the interface sends and takes (/openapi.json); test/client.e2e-spec.ts holds these types equal to the service's own.

/** What a report is asked about. The period is read as days on the farm, both included. */
export interface ReportRequest {
  readonly type: string;
  readonly tenantType: 'farm';
  readonly tenantId: string;
  /** Unix milliseconds. */
  readonly reportingPeriodStart: number;
  readonly reportingPeriodEnd: number;
}

export type ReportStatus = 'pending' | 'processing' | 'completed' | 'failed' | 'cancelled' | 'expired';

export type ReportFormat = 'csv' | 'json' | 'ndjson' | 'xlsx';

/** What became of a request; members are added over time. */
export interface ReportRecord extends ReportRequest {
  readonly id: string;
  readonly status: ReportStatus;
  /** Unix milliseconds. */
  readonly creationDate: number;
  readonly lastModifiedDate: number;
  /** Days on the farm, YYYY-MM-DD, both included. */
  readonly period: { readonly start: string; readonly end: string; readonly timeZone: string };
  readonly warnings: readonly string[];
  readonly attempt?: number;
  readonly failureReason?: string;
  /** Of a completed report. */
  readonly manifest?: ReportManifest;
  /** Of a processing report, as of a second or so ago. */
  readonly progress?: { readonly rows: number; readonly estimatedRows?: number };
  /** Of a pending report; 1 when it is next. */
  readonly queue?: { readonly position: number };
}

/** What a completed report is made of. */
export interface ReportManifest {
  readonly generator: string;
  readonly generatorVersion: string;
  /** Position of the farm's records that was read; the same position and request give the same files. */
  readonly recordsPosition: string;
  readonly rows: number;
  /** `sha256` in lower-case hexadecimal digits. */
  readonly files: readonly { readonly format: string; readonly bytes: number; readonly sha256: string }[];
  /** Sums over the rows by column, exact decimals. */
  readonly controlTotals: Readonly<Record<string, string>>;
  readonly warnings: number;
}

export interface Report {
  readonly data: ReportRecord;
  readonly links: { readonly self: string; readonly download: string; readonly events: string };
  /** The service had made it before, or was making it already. */
  readonly reused: boolean;
}

export interface ReportType {
  readonly type: string;
  readonly title: string;
  readonly description: string;
  /** The type that makes the content: itself unless deprecated. */
  readonly generator: string;
  readonly deprecated: boolean;
  readonly replacedBy?: string;
  /** Unix seconds. */
  readonly deprecatedSince?: number;
  /** Unix seconds from which on it may be gone. */
  readonly sunset?: number;
  readonly formats: readonly string[];
  readonly columns: readonly {
    readonly name: string;
    readonly type: string;
    readonly unit?: string;
    readonly description?: string;
    readonly jsonOnly?: boolean;
  }[];
  /** JSON Schema of the content as JSON. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** JSON Schema of a line of the content as NDJSON. */
  readonly rowSchema: Readonly<Record<string, unknown>>;
}

export interface FarmSettings {
  readonly name: string;
  /** IANA. */
  readonly timeZone: string;
  readonly animalUnit?: 'dse' | 'ae' | 'lsu' | 'au';
  readonly areaUnit?: 'ha' | 'ac';
  readonly currency?: string;
  /** MM-DD. */
  readonly financialYearStart?: string;
  /** By species in lower case, exact decimals. */
  readonly naturalIncreaseValues?: Readonly<Record<string, string>>;
}

export type Farm = Required<FarmSettings> & { readonly id: string };

export interface ImportSummary {
  readonly accepted: number;
  readonly replaced: number;
  readonly unchanged: number;
  readonly rejected: number;
  /** The first 100. */
  readonly errors: readonly {
    readonly line?: number;
    readonly index?: number;
    readonly pointer: string;
    readonly detail: string;
  }[];
  /** What became of each, for up to 1,000. */
  readonly items?: readonly {
    readonly index: number;
    readonly status: 'accepted' | 'replaced' | 'unchanged' | 'rejected';
    readonly id?: string;
    readonly errors?: readonly { readonly pointer: string; readonly detail: string }[];
  }[];
}
