/** Markup that is safe to send. */
export class Html {
  constructor(readonly text: string) {}
}

type Part = Html | string | number | undefined | readonly (Html | readonly Html[])[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A template whose parts are escaped, unless they are markup already. */
export function html(template: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(template.reduce((text, fixed, index) => text + render(parts[index - 1]) + fixed));
}

function render(part: Part): string {
  if (part === undefined) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map(render).join('');
  return String(part).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
