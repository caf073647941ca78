import { Registry } from '@prometheus-io/client';
import Negotiator from 'negotiator';

const { OPENMETRICS_CONTENT_TYPE: OPENMETRICS, PROMETHEUS_CONTENT_TYPE: PROMETHEUS } = Registry;

/** Metrics as a scraper reads them. */
export interface Exposition {
  readonly contentType: string;
  readonly text: string;
}

/** The metrics in the format that `accept` prefers: OpenMetrics, which has exemplars, or Prometheus' text. */
export async function expose(registry: Registry, accept: string | undefined): Promise<Exposition> {
  const open = await registry.metrics();
  const wanted = new Negotiator({ headers: { accept } }).mediaType([PROMETHEUS, OPENMETRICS]);
  return wanted === OPENMETRICS
    ? { contentType: OPENMETRICS, text: open }
    : { contentType: PROMETHEUS, text: toPrometheusText(open) };
}

/** Prometheus' text names a counter whole in its heading, and knows neither exemplars nor an end. */
function toPrometheusText(open: string): string {
  const counters = new Set([...open.matchAll(/^# TYPE (\S+) counter$/gm)].map(([, name]) => name));
  return open
    .split('\n')
    .filter((line) => line !== '# EOF')
    .map((line) => {
      const [, kind, name = '', rest] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
      if (kind === undefined) return line.replace(/ # \{[^}]*\} \S+ \S+$/, '');
      return counters.has(name) ? `# ${kind} ${name}_total ${rest}` : line;
    })
    .join('\n');
}
